-- Takes all that a call asks for, or nothing of it.
local answer = check_generation(key(), argument())
if answer then return answer end

local pass_key = key()
local now = clock()
local now_ms = math.floor(now / 1000)
local what = argument()

local claims = {}
for i = 1, number() do
  claims[i] = { window = read_window(key(), number()), amount = number(), limit = number() }
end
local most = number() -- nil when no money is asked for
local least = number()
local held_keys = {}
for i = 1, number() do
  held_keys[i] = key()
end
local accounts = {}
for i = 1, number() do
  accounts[i] = { scope_key = key(), held_key = key(), period = argument(), limit = number() }
end

local unknown = { 'unknown' }
for i, account in ipairs(accounts) do
  local period = account.period
  local values = redis.call('HMGET', account.scope_key, 'asof/' .. period, 'spent/' .. period)
  if not values[1] then
    expect_answer(account.scope_key, period)
    unknown[#unknown + 1] = i - 1
  end
  account.spent = tonumber(values[2] or 0)
  account.used = account.spent + held_in(account.held_key, period)
end
if #unknown > 1 then return unknown end

for _, claim in ipairs(claims) do
  prune(claim.window, now)
end

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
    if claim.amount <= claim.limit then wait = time_until_gone(claim.window, excess, now) end
    if wait > longest then
      refused, longest = i, wait
    end
  end
end
if refused then return decide('window', refused - 1, longest == math.huge and -1 or longest) end

local granted, narrowest = most, nil
for i, account in ipairs(accounts) do
  local room = math.max(0, account.limit - account.used)
  if room < granted then
    granted, narrowest = room, i
  end
end
if narrowest and granted < least then
  return decide('spend', narrowest - 1, accounts[narrowest].spent, accounts[narrowest].used)
end

for _, held_key in ipairs(held_keys) do
  hold(held_key, now_ms, granted)
end
for _, claim in ipairs(claims) do
  admit_to(claim.window, now, claim.amount)
end
write_pass(pass_key, now_ms, now, granted or 0, what)
return decide('admitted', granted or -1)
