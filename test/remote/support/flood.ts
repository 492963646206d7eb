import type { Socket } from 'node:net'

const chunkSize = 256 * 1024

/** Sends a text forever in large chunks. */
export function flood(socket: Socket, text: string): void {
  const chunk = text.repeat(Math.ceil(chunkSize / text.length))
  const send = () => {
    while (!socket.destroyed && socket.write(chunk));
  }
  socket.on('drain', send)
  send()
}

/** Sends a text forever, once every 100 ms. */
export function dribble(socket: Socket, text: string): void {
  const timer = setInterval(() => socket.write(text), 100)
  socket.on('close', () => clearInterval(timer))
}
