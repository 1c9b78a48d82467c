-- The money of a scope is one hash. Of each period, named <start>:<end> in milliseconds (no end: nothing after the colon),
-- it holds:
--   asof/  the number of the last receipt that the database had counted when it was asked
--   spent/ what was spent: the sum in the database, and receipts reported since
--   early/ while the database is being read: receipts reported meanwhile, as <seq>:<nanos>,

local EARLY_BYTES = 100000

local function contains(period, ms)
  local first, last = string.match(period, '^(%d+):(%d*)$')
  return ms >= tonumber(first) and (last == '' or ms < tonumber(last))
end

-- What calls under way have reserved in a scope is another hash: sums by the first millisecond of the day (UTC) on which they
-- were admitted. A period is made of days, so every period, also one that nobody has asked for yet, knows what is reserved
-- in it.
local function hold(held_key, at_ms, nanos)
  local day = string.format('%.0f', math.floor(at_ms / DAY_MS) * DAY_MS)
  if redis.call('HINCRBY', held_key, day, nanos) == 0 then redis.call('HDEL', held_key, day) end
  redis.call('PEXPIRE', held_key, HELD_TTL_MS)
end

local function held_in(held_key, period)
  local sum = 0
  local days = redis.call('HGETALL', held_key)
  for i = 1, #days, 2 do
    if contains(period, tonumber(days[i])) then sum = sum + days[i + 1] end
  end
  return sum
end

-- Marks that the database is being read. Receipts reported from now on are kept until its sum is here.
local function expect_answer(scope_key, period)
  redis.call('HSETNX', scope_key, 'early/' .. period, '')
  redis.call('PEXPIRE', scope_key, HELD_TTL_MS)
end

local function count_spend(scope_key, spend)
  for _, field in ipairs(redis.call('HKEYS', scope_key)) do
    local kind, period = string.match(field, '^(%l+)/(.+)$')
    if kind == 'asof' and contains(period, spend.at_ms) then
      if spend.seq > tonumber(redis.call('HGET', scope_key, field)) then
        redis.call('HINCRBY', scope_key, 'spent/' .. period, spend.nanos)
      end
    elseif kind == 'early' and contains(period, spend.at_ms) then
      local noted = redis.call('HGET', scope_key, field)
      -- The read never finished. Drop the list; the next reader starts over.
      if #noted > EARLY_BYTES then
        redis.call('HDEL', scope_key, field)
      else
        redis.call('HSET', scope_key, field, string.format('%s%.0f:%.0f,', noted, spend.seq, spend.nanos))
      end
    end
  end
end

-- Periods that are over are not asked for again.
local function drop_past_periods(scope_key, now_ms)
  for _, field in ipairs(redis.call('HKEYS', scope_key)) do
    local last = string.match(field, '^asof/%d+:(%d+)$')
    if last and tonumber(last) < now_ms - 3600000 then
      redis.call('HDEL', scope_key, field, 'spent/' .. string.sub(field, 6))
    end
  end
end
