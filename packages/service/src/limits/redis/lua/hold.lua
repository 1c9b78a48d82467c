-- The hold of a call is one hash: `at` (when it was admitted, in milliseconds), `moment` (the same in microseconds, as its
-- windows count it), `nanos` (what it has reserved in each scope), `settled`, and `call`: its claims and scopes, which never
-- change, as JSON written by the client.

local function write_hold(hold_key, at_ms, moment, nanos, call)
  redis.call('HSET', hold_key, 'at', at_ms, 'moment', moment, 'nanos', nanos, 'call', call)
  redis.call('PEXPIRE', hold_key, HOLD_TTL_MS)
end

-- Reads the windows of a call, each with the difference between the actual and the claimed amount.
local function read_corrections()
  local corrections = {}
  for i = 1, next_number() do
    corrections[i] = { window = read_window(next_key(), next_number()), difference = next_number() }
  end
  return corrections
end

local function read_reserved_keys()
  local reserved_keys = {}
  for i = 1, next_number() do
    reserved_keys[i] = next_key()
  end
  return reserved_keys
end

local function correct_windows(corrections, moment, now)
  for _, correction in ipairs(corrections) do
    if now - moment < correction.window.span then add(correction.window, moment, correction.difference) end
  end
end
