-- Replaces what a call claimed by what it used, once. What it holds of its accounts stays, at its true amount.
local answer = misdirected(key(), argument())
if answer then return answer end

local pass_key = key()
local now = clock()
local at_ms = argument()
local micros = number() -- nil when it is not known
local corrections = read_corrections()
local accounts = read_held_accounts()

local pass = redis.call('HMGET', pass_key, 'at', 'moment', 'micros', 'settled')
if pass[1] ~= at_ms or pass[4] then return { 'done' } end

correct_windows(corrections, tonumber(pass[2]), now)
redis.call('HSET', pass_key, 'settled', 1)
if micros then
  for _, account in ipairs(accounts) do
    hold(account.scope_key, account.period, micros - pass[3])
  end
  redis.call('HSET', pass_key, 'micros', micros)
end
return { 'done' }
