-- What calls under way hold of an account.
local answer = check_generation(key(), argument())
if answer then return answer end
return { 'held', tonumber(redis.call('HGET', key(), 'held/' .. argument()) or 0) }
