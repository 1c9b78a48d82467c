-- Writes what receipts used into a window of a generation that nobody knows yet.
local window = read_window(key(), number())
for _ = 1, number() do
  -- A moment rounded down to the millisecond is counted as its end.
  add(window, number() * 1000 + 999, number())
end
redis.call('PEXPIRE', window.key, window.ttl)
return { 'done' }
