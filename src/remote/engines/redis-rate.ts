import { randomUUID } from 'node:crypto'
import type { EngineRate } from '../engine.js'

export type RunScript = (script: string, keys: string[], values: (string | number)[]) => Promise<unknown>

/**
 * Keeps the times of downloads in a sorted set. Uses the clock of Redis, because the clocks of machines differ. The
 * set, and the key that pauses all downloads, expire on their own.
 */
const takeScript = `
local time = redis.call('time')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local wanted, requests, window = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local pause = redis.call('pttl', KEYS[2])
if pause > 0 then return { 0, pause } end
redis.call('zremrangebyscore', KEYS[1], '-inf', now - window)
local granted = math.max(0, math.min(wanted, requests - redis.call('zcard', KEYS[1])))
for count = 1, granted do redis.call('zadd', KEYS[1], now, ARGV[4] .. count) end
if granted > 0 then redis.call('pexpire', KEYS[1], window) end
local oldest = redis.call('zrange', KEYS[1], 0, 0, 'withscores')[2]
return { granted, oldest and math.max(1, oldest + window - now) or window }`

/** Removes entries of this process only. */
const giveBackScript = `
local left = tonumber(ARGV[2])
for _, entry in ipairs(redis.call('zrevrange', KEYS[1], 0, -1)) do
  if left == 0 then break end
  if string.sub(entry, 1, #ARGV[1]) == ARGV[1] then
    redis.call('zrem', KEYS[1], entry)
    left = left - 1
  end
end`

const pauseScript = `
if redis.call('pttl', KEYS[1]) < tonumber(ARGV[1]) then redis.call('set', KEYS[1], '1', 'PX', ARGV[1]) end`

/** @param prefix the prefix of all keys */
export function redisRate(run: RunScript, prefix: string): EngineRate {
  const holder = randomUUID()
  const keyOf = (name: string): string => prefix + name
  const pauseOf = (name: string): string => `${prefix}${name}/pause`
  return {
    async take(name, wanted, { requests, window }) {
      const values = [wanted, requests, window, `${holder} ${randomUUID()} `]
      const answer = await run(takeScript, [keyOf(name), pauseOf(name)], values)
      const [granted, wait] = Array.isArray(answer) ? answer.map(Number) : []
      return { granted: granted ?? Number.NaN, wait: wait ?? Number.NaN }
    },
    async giveBack(name, count) {
      await run(giveBackScript, [keyOf(name)], [holder, count])
    },
    async pause(name, milliseconds) {
      await run(pauseScript, [pauseOf(name)], [milliseconds])
    },
  }
}
