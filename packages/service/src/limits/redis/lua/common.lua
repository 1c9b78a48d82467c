-- The beginning of every script. Scripts read keys and arguments in the order in which the client added them.

local DAY_MS = 86400000
-- The key of the generation expires first, so it never exists without the data of that generation.
local GENERATION_TTL_MS = DAY_MS
local HOLD_TTL_MS = 2 * DAY_MS

local keys_read, arguments_read = 0, 0

local function next_key()
  keys_read = keys_read + 1
  return KEYS[keys_read]
end

local function next_argument()
  arguments_read = arguments_read + 1
  return ARGV[arguments_read]
end

local function next_number()
  return tonumber(next_argument())
end

-- Returns microseconds by the server's clock. Tests send a time of their own instead of an empty argument.
local function read_clock()
  local given = next_argument()
  if given ~= '' then return tonumber(given) end
  local time = redis.call('TIME')
  return time[1] * 1000000 + time[2]
end

-- The run id changes when the server restarts, perhaps from an old snapshot, and when a replica takes over, perhaps without the
-- last writes. In both cases the stored state may be older than the decisions made on it. (Asking costs 3 microseconds;
-- searching for a pattern instead of a plain word would double that.)
local function run_id()
  local server = redis.call('INFO', 'server')
  local _, last = string.find(server, 'run_id:', 1, true)
  if not last then error('INFO server has no run_id, so a restart of the server could not be noticed') end
  return string.sub(server, last + 1, last + 40)
end

-- Returns the current generation and the limits version it was loaded at, as strings. Returns nil when the tenant is not loaded
-- on this server.
local function current_generation(generation_key)
  local value = redis.call('GETEX', generation_key, 'PX', GENERATION_TTL_MS)
  if not value then return nil end
  local generation, limits, run = string.match(value, '^(%d+) (%d+) (%x+)$')
  if run == run_id() then return generation, limits end
end

-- Returns nil when the keys of the call belong to the current generation, else the reply that tells the client which does.
local function check_generation(generation_key, expected)
  local generation, limits = current_generation(generation_key)
  if not generation then return { 'not loaded' } end
  if generation ~= expected then return { 'generation', generation, limits } end
end
