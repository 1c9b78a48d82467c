-- Replaces what a call claimed by what it used, once. What it reserved on its accounts stays, at its true amount. For a call
-- that was never sent, the reservation is removed as well.
local answer = check_generation(key(), argument())
if answer then return answer end

local pass_key = key()
local now = clock()
local at_ms = argument()
local never_made = argument() == '1'
local nanos = number() -- nil when it is not known
local corrections = read_corrections()
local accounts = read_held_accounts()

local pass = redis.call('HMGET', pass_key, 'at', 'moment', 'nanos', 'settled')
if pass[1] ~= at_ms or (pass[4] and not never_made) then return { 'done' } end

if not pass[4] then correct_windows(corrections, tonumber(pass[2]), now) end
if nanos then
  for _, account in ipairs(accounts) do
    hold(account.scope_key, account.period, nanos - pass[3])
  end
end
if never_made then
  redis.call('DEL', pass_key)
else
  redis.call('HSET', pass_key, 'settled', 1, 'nanos', nanos or pass[3])
end
return { 'done' }
