-- Deletes the tenant's generation and load lock, so a load in progress must start over. With a token: only if that token
-- still holds the lock.
local generation_key, lock_key = key(), key()
local token = argument()
if token ~= '' and redis.call('GET', lock_key) ~= token .. ' ' .. run_id() then return { 'done' } end
redis.call('DEL', generation_key, lock_key)
return { 'done' }
