-- Acquires the lock for loading a tenant. Until the loaded generation is published nothing is admitted, and reported receipts
-- are collected under the `pending` key.
local generation_key, lock_key, pending_key = next_key(), next_key(), next_key()
local token, after, lock_ms = next_argument(), next_number(), next_number()

local generation, limits = current_generation(generation_key)
if generation and tonumber(generation) > after then return { 'generation', generation, limits } end
local lock = redis.call('GET', lock_key)
if lock and string.match(lock, '%x+$') == run_id() then return { 'wait' } end
redis.call('DEL', generation_key, pending_key)
redis.call('SET', lock_key, token .. ' ' .. run_id(), 'PX', lock_ms)
return { 'load' }
