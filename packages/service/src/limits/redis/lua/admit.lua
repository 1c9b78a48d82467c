-- Takes the amounts of all claims of a call, or none of them.
local stale = check_generation(next_key(), next_argument())
if stale then return stale end

local hold_key = next_key()
local now = read_clock()
local now_ms = math.floor(now / 1000)
local call = next_argument()

local claims = {}
for i = 1, next_number() do
  claims[i] = { window = read_window(next_key(), next_number()), amount = next_number(), limit = next_number() }
end
local max_nanos = next_number() -- nil when the call costs nothing
local min_nanos = next_number()
local reserved_keys = {}
for i = 1, next_number() do
  reserved_keys[i] = next_key()
end
local accounts = {}
for i = 1, next_number() do
  accounts[i] = { scope_key = next_key(), reserved_key = next_key(), period = next_argument(), limit = next_number() }
end

local not_loaded = { 'accounts not loaded' }
for i, account in ipairs(accounts) do
  local period = account.period
  local values = redis.call('HMGET', account.scope_key, 'asof/' .. period, 'spent/' .. period)
  if not values[1] then
    begin_account_load(account.scope_key, period)
    not_loaded[#not_loaded + 1] = i - 1
  end
  account.spent = tonumber(values[2] or 0)
  account.used = account.spent + sum_reserved(account.reserved_key, period)
end
if #not_loaded > 1 then return not_loaded end

for _, claim in ipairs(claims) do
  prune(claim.window, now)
end

-- A decision is followed by the time, its own values, and the total and last moment of each window.
local function decide(...)
  local decision = { ... }
  table.insert(decision, 2, now)
  for _, claim in ipairs(claims) do
    decision[#decision + 1] = claim.window.total
    decision[#decision + 1] = claim.window.last
  end
  return decision
end

for _, account in ipairs(accounts) do
  if not contains(account.period, now_ms) then return decide('period') end
end

local refused, longest = nil, 0
for i, claim in ipairs(claims) do
  local excess = claim.window.total + claim.amount - claim.limit
  if excess > 0 then
    local wait = math.huge
    if claim.amount <= claim.limit then wait = time_until_free(claim.window, excess, now) end
    if wait > longest then
      refused, longest = i, wait
    end
  end
end
if refused then return decide('window', refused - 1, longest == math.huge and -1 or longest) end

local granted, narrowest = max_nanos, nil
for i, account in ipairs(accounts) do
  local available = math.max(0, account.limit - account.used)
  if available < granted then
    granted, narrowest = available, i
  end
end
if narrowest and granted < min_nanos then
  return decide('spend', narrowest - 1, accounts[narrowest].spent, accounts[narrowest].used)
end

for _, reserved_key in ipairs(reserved_keys) do
  change_reserved(reserved_key, now_ms, granted)
end
for _, claim in ipairs(claims) do
  admit_to(claim.window, now, claim.amount)
end
write_hold(hold_key, now_ms, now, granted or 0, call)
return decide('admitted', granted or -1)
