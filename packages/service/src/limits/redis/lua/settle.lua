-- Replaces the claimed amounts of a call by the actual ones, once. Money stays reserved until the receipt is counted. For a call
-- that was never sent, the reservation is removed as well.
local stale = check_generation(next_key(), next_argument())
if stale then return stale end

local hold_key = next_key()
local now = read_clock()
local at_ms = next_argument()
local is_released = next_argument() == '1'
local corrections = read_corrections()
local reserved_keys = read_reserved_keys()

local hold = redis.call('HMGET', hold_key, 'at', 'moment', 'nanos', 'settled')
if hold[1] ~= at_ms or (hold[4] and not is_released) then return { 'done' } end

if not hold[4] then correct_windows(corrections, tonumber(hold[2]), now) end
if is_released then
  for _, reserved_key in ipairs(reserved_keys) do
    change_reserved(reserved_key, tonumber(hold[1]), 0 - hold[3])
  end
  redis.call('DEL', hold_key)
else
  redis.call('HSET', hold_key, 'settled', 1)
end
return { 'done' }
