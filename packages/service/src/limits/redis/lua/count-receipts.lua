-- Counts receipts, each once, and deletes the holds of their calls.
local COUNTED_TTL_MS = 60000
local generation_key, lock_key, pending_key, counted_key = next_key(), next_key(), next_key(), next_key()
local expected = next_argument()
local now = read_clock()

local receipts = {}
for i = 1, next_number() do
  local receipt = {
    call_id = next_argument(),
    seq = next_number(),
    nanos = next_number(),
    tokens = next_argument(),
    at_ms = next_number(),
    hold_key = next_key(),
    scope_keys = {},
  }
  for n = 1, next_number() do
    receipt.scope_keys[n] = next_key()
  end
  receipt.corrections = read_corrections()
  receipt.reserved_keys = read_reserved_keys()
  receipts[i] = receipt
end

local stale = check_generation(generation_key, expected)
if stale then
  -- A load in progress may have read the database before these receipts were committed: store them for it.
  if stale[1] == 'not loaded' and redis.call('EXISTS', lock_key) == 1 then
    for _, receipt in ipairs(receipts) do
      redis.call('HSET', pending_key, receipt.call_id, receipt.tokens)
    end
    redis.call('PEXPIRE', pending_key, 60000)
  end
  return stale
end

-- Receipts counted in the last minute are remembered, so that one that is reported again is not counted twice. This need not
-- cover receipts from before a load: their calls have no hold, and each account stores the number it was read at.
redis.call('ZREMRANGEBYSCORE', counted_key, '-inf', now - COUNTED_TTL_MS * 1000)

for _, receipt in ipairs(receipts) do
  if redis.call('ZADD', counted_key, 'NX', now, receipt.seq) == 1 then
    for _, scope_key in ipairs(receipt.scope_keys) do
      add_spend(scope_key, receipt)
    end
    local hold = redis.call('HMGET', receipt.hold_key, 'moment', 'nanos', 'settled', 'at')
    if hold[1] then
      if not hold[3] then correct_windows(receipt.corrections, tonumber(hold[1]), now) end
      for _, reserved_key in ipairs(receipt.reserved_keys) do
        change_reserved(reserved_key, tonumber(hold[4]), 0 - hold[2])
      end
      redis.call('DEL', receipt.hold_key)
    end
  end
end
redis.call('PEXPIRE', counted_key, COUNTED_TTL_MS)
return { 'done' }
