-- A call under way is one hash: `at` (milliseconds), `moment` (microseconds, where it stands in its windows), `nanos` (what
-- it holds in each scope), `settled`, and `what`: its claims and scopes, which never change, as the client wrote them.

local function write_pass(pass_key, at_ms, moment, nanos, what)
  redis.call('HSET', pass_key, 'at', at_ms, 'moment', moment, 'nanos', nanos, 'what', what)
  redis.call('PEXPIRE', pass_key, HELD_TTL_MS)
end

-- Windows and what each is to be corrected by, in the order of the claims.
local function read_corrections()
  local corrections = {}
  for i = 1, number() do
    corrections[i] = { window = read_window(key(), number()), difference = number() }
  end
  return corrections
end

local function read_held_keys()
  local held_keys = {}
  for i = 1, number() do
    held_keys[i] = key()
  end
  return held_keys
end

local function correct_windows(corrections, moment, now)
  for _, correction in ipairs(corrections) do
    if now - moment < correction.window.span then add(correction.window, moment, correction.difference) end
  end
end
