-- Writes recorded amounts into a window of an unpublished generation. The client sends each millisecond once, so existing
-- buckets need not be read.
local window = read_window(next_key(), next_number())
local buckets, slices, total = {}, {}, 0
for i = 1, next_number() do
  local ms, amount = next_number(), next_number()
  -- A time that was rounded down to the millisecond is counted as the end of that millisecond.
  local moment = ms * 1000 + 999
  buckets[2 * i - 1] = moment
  buckets[2 * i] = string.format('%.0f:%.0f', ms, amount)
  local slice = slice_at(window, moment)
  slices[slice] = (slices[slice] or 0) + amount
  total = total + amount
end
redis.call('ZADD', window.key, unpack(buckets))
redis.call('ZINCRBY', window.key, -total, 'total')
for slice, amount in pairs(slices) do
  add_to_slice(window, slice, amount)
end
redis.call('PEXPIRE', window.key, window.ttl)
return { 'done' }
