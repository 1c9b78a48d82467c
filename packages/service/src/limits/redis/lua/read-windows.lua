-- What is counted in some windows now, and the moment of the last of it. Lets go of what has left them, and takes nothing.
local answer = check_generation(key(), argument())
if answer then return answer end

local now = clock()
local standings = { 'windows', now }
for _ = 1, number() do
  local window = read_window(key(), number())
  prune(window, now)
  standings[#standings + 1] = window.total
  standings[#standings + 1] = window.last
end
return standings
