-- The spend of a scope is one hash. For each period, named <start>:<end> in milliseconds (an open-ended period has nothing
-- after the colon), it holds:
--   asof/    the number of the last receipt that the database had counted when it was read
--   spent/   the amount spent: the sum from the database plus the receipts counted since
--   pending/ while the database is being read: the receipts reported in the meantime, as <seq>:<nanos>,

local MAX_PENDING_BYTES = 100000

local function contains(period, ms)
  local first, last = string.match(period, '^(%d+):(%d*)$')
  return ms >= tonumber(first) and (last == '' or ms < tonumber(last))
end

-- The amount that open calls have reserved in a scope is another hash: sums by the first millisecond of the day (UTC) on which
-- the calls were admitted. Periods consist of whole days, so the reserved amount of every period can be computed, including
-- periods that no call has claimed yet. A negative amount releases a reservation.
local function change_reserved(reserved_key, at_ms, nanos)
  local day = string.format('%.0f', math.floor(at_ms / DAY_MS) * DAY_MS)
  if redis.call('HINCRBY', reserved_key, day, nanos) == 0 then redis.call('HDEL', reserved_key, day) end
  redis.call('PEXPIRE', reserved_key, HOLD_TTL_MS)
end

local function sum_reserved(reserved_key, period)
  local sum = 0
  local days = redis.call('HGETALL', reserved_key)
  for i = 1, #days, 2 do
    if contains(period, tonumber(days[i])) then sum = sum + days[i + 1] end
  end
  return sum
end

-- Marks that a client is reading the database. Receipts reported from now on are kept until its sum is stored.
local function begin_account_load(scope_key, period)
  redis.call('HSETNX', scope_key, 'pending/' .. period, '')
  redis.call('PEXPIRE', scope_key, HOLD_TTL_MS)
end

local function add_spend(scope_key, receipt)
  for _, field in ipairs(redis.call('HKEYS', scope_key)) do
    local kind, period = string.match(field, '^(%l+)/(.+)$')
    if kind == 'asof' and contains(period, receipt.at_ms) then
      if receipt.seq > tonumber(redis.call('HGET', scope_key, field)) then
        redis.call('HINCRBY', scope_key, 'spent/' .. period, receipt.nanos)
      end
    elseif kind == 'pending' and contains(period, receipt.at_ms) then
      local pending = redis.call('HGET', scope_key, field)
      -- The read never finished. Deleting the list makes the next reader start over.
      if #pending > MAX_PENDING_BYTES then
        redis.call('HDEL', scope_key, field)
      else
        redis.call('HSET', scope_key, field, string.format('%s%.0f:%.0f,', pending, receipt.seq, receipt.nanos))
      end
    end
  end
end

-- Deletes the sums of periods that ended more than an hour ago: calls no longer claim from them.
local function delete_past_periods(scope_key, now_ms)
  for _, field in ipairs(redis.call('HKEYS', scope_key)) do
    local last = string.match(field, '^asof/%d+:(%d+)$')
    if last and tonumber(last) < now_ms - 3600000 then
      redis.call('HDEL', scope_key, field, 'spent/' .. string.sub(field, 6))
    end
  end
end
