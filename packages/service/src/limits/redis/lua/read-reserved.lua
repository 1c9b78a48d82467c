-- Reads what open calls have reserved in a scope and a period.
local stale = check_generation(next_key(), next_argument())
if stale then return stale end
return { 'reserved', sum_reserved(next_key(), next_argument()) }
