-- What calls under way hold in a scope and a period.
local answer = check_generation(key(), argument())
if answer then return answer end
return { 'held', held_in(key(), argument()) }
