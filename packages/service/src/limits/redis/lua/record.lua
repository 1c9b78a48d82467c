-- Counts receipts, each once, and ends the passes of their calls.
local REPORTED_MS = 60000
local generation_key, lock_key, early_key, reported_key = key(), key(), key(), key()
local expected = argument()
local now = clock()

local spends = {}
for i = 1, number() do
  local spend = {
    call_id = argument(),
    seq = number(),
    nanos = number(),
    tokens = argument(),
    at_ms = number(),
    pass_key = key(),
    scope_keys = {},
  }
  for n = 1, number() do
    spend.scope_keys[n] = key()
  end
  spend.corrections = read_corrections()
  spend.held_keys = read_held_keys()
  spends[i] = spend
end

local answer = check_generation(generation_key, expected)
if answer then
  -- A load in progress may have read the database before these receipts were committed: store them for it.
  if answer[1] == 'lost' and redis.call('EXISTS', lock_key) == 1 then
    for _, spend in ipairs(spends) do
      redis.call('HSET', early_key, spend.call_id, spend.tokens)
    end
    redis.call('PEXPIRE', early_key, 60000)
  end
  return answer
end

-- Which receipts were reported in the last minute. Those before a load need not be known: their calls have no pass, and the
-- accounts know up to which number they were read.
redis.call('ZREMRANGEBYSCORE', reported_key, '-inf', now - REPORTED_MS * 1000)

for _, spend in ipairs(spends) do
  if redis.call('ZADD', reported_key, 'NX', now, spend.seq) == 1 then
    for _, scope_key in ipairs(spend.scope_keys) do
      count_spend(scope_key, spend)
    end
    local pass = redis.call('HMGET', spend.pass_key, 'moment', 'nanos', 'settled', 'at')
    if pass[1] then
      if not pass[3] then correct_windows(spend.corrections, tonumber(pass[1]), now) end
      for _, held_key in ipairs(spend.held_keys) do
        hold(held_key, tonumber(pass[4]), 0 - pass[2])
      end
      redis.call('DEL', spend.pass_key)
    end
  end
end
redis.call('PEXPIRE', reported_key, REPORTED_MS)
return { 'done' }
