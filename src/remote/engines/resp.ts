/** In bytes. Lines in Redis replies are shorter. */
const maxLine = 16 * 1024

/** Replies to our commands are nested only once. */
const maxDepth = 4

/** The size in bytes of the shortest element of an array, such as `:1\r\n`. */
const leastElement = 4

/**
 * Returns a function that counts the complete values on a connection to Redis. The function throws for data that isn't
 * RESP2 and for values above a limit.
 *
 * It tracks only the lengths of values, so that a client never buffers a value above the limit. It rejects a carriage
 * return inside a line, because clients end lines there. https://redis.io/docs/latest/develop/reference/protocol-spec/
 * @param limit in bytes, for a value with all its elements
 */
export function openValueCounter(limit: number): (chunk: Buffer) => number {
  let line = ''
  /** Remaining bytes of a string, including its line end. */
  let text = 0
  /** Remaining elements of each open array. */
  const arrays: number[] = []
  let size = 0

  /** Ends a value and the arrays that end with it. Returns how many top-level values have ended. */
  function end(): number {
    while (arrays.length > 0) {
      const left = (arrays.pop() ?? 0) - 1
      if (left > 0) {
        arrays.push(left)
        return 0
      }
    }
    size = 0
    return 1
  }

  function readLine(): number {
    const [, type, content = ''] = /^([+:$*-])([^\r]*)\r\n$/.exec(line) ?? []
    line = ''
    if (type === '+' || type === '-' || (type === ':' && /^[+-]?\d{1,20}$/.test(content))) return end()
    if ((type !== '$' && type !== '*') || !/^(?:-1|\d{1,10})$/.test(content)) throw new RangeError('invalid')
    const length = Number(content)
    if (length < 0 || (type === '*' && length === 0)) return end()
    if (size + length * (type === '*' ? leastElement : 1) > limit) throw new RangeError('too long')
    if (type === '$') text = length + 2
    else if (arrays.push(length) > maxDepth) throw new RangeError('too deep')
    return 0
  }

  return (chunk) => {
    let values = 0
    let at = 0
    while (at < chunk.length) {
      const lineEnd = text > 0 ? -1 : chunk.indexOf('\n', at)
      const next = text > 0 ? Math.min(at + text, chunk.length) : lineEnd + 1 || chunk.length
      size += next - at
      if (text > 0) {
        text -= next - at
        if (text === 0) values += end()
      } else {
        if (size > limit || line.length + next - at > maxLine) throw new RangeError('too long')
        line += chunk.toString('latin1', at, next)
        if (lineEnd >= 0) values += readLine()
      }
      at = next
    }
    return values
  }
}
