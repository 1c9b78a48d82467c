-- What every script begins with. Keys and arguments are read in the order in which they were given.

local DAY_MS = 86400000
-- The generation's key expires first, so it never exists without the data that belongs to it.
local GENERATION_TTL_MS = DAY_MS
local HELD_TTL_MS = 2 * DAY_MS

local keys_read, arguments_read = 0, 0

local function key()
  keys_read = keys_read + 1
  return KEYS[keys_read]
end

local function argument()
  arguments_read = arguments_read + 1
  return ARGV[arguments_read]
end

local function number()
  return tonumber(argument())
end

-- Microseconds by the server's clock; a test brings its own.
local function clock()
  local given = argument()
  if given ~= '' then return tonumber(given) end
  local time = redis.call('TIME')
  return time[1] * 1000000 + time[2]
end

-- Changes when the server restarts, perhaps from an old snapshot, and when another takes over, perhaps lacking the last
-- writes: either way what is here may be older than what was decided. (Asking costs 3 microseconds; looking for it by a
-- pattern instead of a plain word would cost more than that again.)
local function run_id()
  local server = redis.call('INFO', 'server')
  local _, last = string.find(server, 'run_id:', 1, true)
  if not last then error('the server does not tell its run_id, so that its restart could not be noticed') end
  return string.sub(server, last + 1, last + 40)
end

-- The generation that counts and the version of the limits it was loaded at, as strings; nil when this server has none.
local function current_generation(generation_key)
  local value = redis.call('GETEX', generation_key, 'PX', GENERATION_TTL_MS)
  if not value then return nil end
  local generation, limits, run = string.match(value, '^(%d+) (%d+) (%x+)$')
  if run == run_id() then return generation, limits end
end

-- An answer when the keys that were given are not those of the generation that counts; else nil.
local function check_generation(generation_key, expected)
  local generation, limits = current_generation(generation_key)
  if not generation then return { 'lost' } end
  if generation ~= expected then return { 'generation', generation, limits } end
end
