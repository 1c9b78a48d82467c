-- Reads the total of some windows and the moment of their last admission. Removes expired amounts and takes nothing.
local stale = check_generation(next_key(), next_argument())
if stale then return stale end

local now = read_clock()
local windows = { 'windows', now }
for _ = 1, next_number() do
  local window = read_window(next_key(), next_number())
  prune(window, now)
  windows[#windows + 1] = window.total
  windows[#windows + 1] = window.last
end
return windows
