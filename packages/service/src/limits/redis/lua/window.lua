-- A rolling window is one sorted set:
--   <ms>:<amount>  the amount admitted in that millisecond. Its score is the moment (in microseconds) of the last admission in
--                  it, so it expires with that one: the window is at most a millisecond too long and never too short.
--   total          its score is minus the sum of all amounts
--   /<n>           its score is minus the sum of the n-th slice of time; a window spans 60 slices
-- Sums are zero or negative and moments positive, so a range of moments never includes a sum. The slices exist for two cases
-- that would otherwise read up to 60,000 buckets: a refusal, which must compute how long to wait, and the first call after a
-- pause.

local function read_window(window_key, window_ms)
  return {
    key = window_key,
    span = window_ms * 1000,
    slice = math.ceil(window_ms / 60) * 1000,
    ttl = 2 * window_ms + 60000,
  }
end

local function amount_in(member)
  return tonumber(string.match(member, ':(%d+)$'))
end

local function slice_at(window, moment)
  return math.floor(moment / window.slice)
end

local function sum_of_slice(window, slice)
  return -(redis.call('ZSCORE', window.key, '/' .. slice) or 0)
end

local function add_to_slice(window, slice, amount)
  local sum = redis.call('ZINCRBY', window.key, -amount, '/' .. slice)
  if tonumber(sum) == 0 then redis.call('ZREM', window.key, '/' .. slice) end
end

-- Adds to the amount admitted at a moment. A negative amount is subtracted.
local function add(window, moment, amount)
  if amount == 0 then return end
  local ms = math.floor(moment / 1000)
  local sum, last = amount, moment
  local bucket = redis.call('ZRANGEBYSCORE', window.key, ms * 1000, ms * 1000 + 999, 'WITHSCORES')
  if bucket[1] then
    sum = sum + amount_in(bucket[1])
    last = math.max(last, tonumber(bucket[2]))
    redis.call('ZREM', window.key, bucket[1])
  end
  if sum > 0 then redis.call('ZADD', window.key, last, string.format('%.0f:%.0f', ms, sum)) end
  redis.call('ZINCRBY', window.key, -amount, 'total')
  add_to_slice(window, slice_at(window, moment), amount)
end

-- Removes expired buckets, and sets the window's `total` and the moment of its `last` bucket. No bucket is older than one window
-- before the last admission, so a window that is not entirely expired spans few slices.
local function prune(window, now)
  local boundary = now - window.span
  local last = redis.call('ZRANGE', window.key, -1, -1, 'WITHSCORES')
  window.total, window.last = 0, tonumber(last[2] or 0)
  if window.last <= boundary or window.last <= 0 then
    if last[1] then redis.call('DEL', window.key) end
    window.last = 0
    return
  end
  window.total = 0 - redis.call('ZSCORE', window.key, 'total')
  local oldest = redis.call('ZRANGEBYSCORE', window.key, '(0', boundary, 'WITHSCORES', 'LIMIT', 0, 1)
  if not oldest[1] then return end
  local expired = 0
  local cut = slice_at(window, boundary)
  for slice = slice_at(window, tonumber(oldest[2])), cut - 1 do
    expired = expired + sum_of_slice(window, slice)
    redis.call('ZREM', window.key, '/' .. slice)
  end
  local partial = 0
  for _, member in ipairs(redis.call('ZRANGEBYSCORE', window.key, cut * window.slice, boundary)) do
    partial = partial + amount_in(member)
  end
  if partial > 0 then add_to_slice(window, cut, -partial) end
  redis.call('ZREMRANGEBYSCORE', window.key, '(0', boundary)
  redis.call('ZINCRBY', window.key, expired + partial, 'total')
  window.total = window.total - expired - partial
end

-- Counts an admission in a window that has been pruned.
local function admit_to(window, now, amount)
  if amount > 0 then
    add(window, now, amount)
    window.total = window.total + amount
    window.last = math.max(window.last, now)
  end
  redis.call('PEXPIRE', window.key, window.ttl)
end

-- Returns the microseconds until at least `excess` of the counted amounts has expired. Skips whole slices, then reads the buckets
-- of one slice.
local function time_until_free(window, excess, now)
  local oldest = redis.call('ZRANGEBYSCORE', window.key, '(0', '+inf', 'WITHSCORES', 'LIMIT', 0, 1)
  local slice, last_slice = slice_at(window, tonumber(oldest[2])), slice_at(window, window.last)
  local sum = sum_of_slice(window, slice)
  while sum < excess and slice < last_slice do
    excess = excess - sum
    slice = slice + 1
    sum = sum_of_slice(window, slice)
  end
  local first = slice * window.slice
  local buckets = redis.call('ZRANGEBYSCORE', window.key, first, first + window.slice - 1, 'WITHSCORES')
  for i = 1, #buckets, 2 do
    excess = excess - amount_in(buckets[i])
    if excess <= 0 then return tonumber(buckets[i + 1]) + window.span - now end
  end
end
