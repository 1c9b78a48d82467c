-- Deletes the tenant's generation and load lock, so that a load in progress has to start over. With a token, does so only while
-- that token holds the lock.
local generation_key, lock_key = next_key(), next_key()
local token = next_argument()
if token ~= '' and redis.call('GET', lock_key) ~= token .. ' ' .. run_id() then return { 'done' } end
redis.call('DEL', generation_key, lock_key)
return { 'done' }
