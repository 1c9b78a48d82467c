-- Replaces what a call claimed by what it used, once. The money that it reserved stays reserved until its receipt is counted.
-- For a call that was never sent, the reservation is removed as well.
local answer = check_generation(key(), argument())
if answer then return answer end

local pass_key = key()
local now = clock()
local at_ms = argument()
local never_made = argument() == '1'
local corrections = read_corrections()
local held_keys = read_held_keys()

local pass = redis.call('HMGET', pass_key, 'at', 'moment', 'nanos', 'settled')
if pass[1] ~= at_ms or (pass[4] and not never_made) then return { 'done' } end

if not pass[4] then correct_windows(corrections, tonumber(pass[2]), now) end
if never_made then
  for _, held_key in ipairs(held_keys) do
    hold(held_key, tonumber(pass[1]), 0 - pass[3])
  end
  redis.call('DEL', pass_key)
else
  redis.call('HSET', pass_key, 'settled', 1)
end
return { 'done' }
