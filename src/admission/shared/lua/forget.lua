-- The tenant is not known any more, and who is loading it begins again. With a token: only if that one still loads.
local generation_key, lock_key = key(), key()
local token = argument()
if token ~= '' and redis.call('GET', lock_key) ~= token .. ' ' .. run_id() then return { 'done' } end
redis.call('DEL', generation_key, lock_key)
return { 'done' }
