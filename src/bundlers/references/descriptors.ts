import type { FileDescriptor, ValueDescriptor } from '../../files/plan.js'

/** The replacement for a mark in generated code: the URL of a file, or a string that is made from its bytes. */
export type MarkTarget = { file: FileDescriptor } | { value: ValueDescriptor }

/** Writes a descriptor as text for generated code. `readDescriptor` reads and checks it. */
export function writeDescriptor(file: FileDescriptor): string {
  return Buffer.from(JSON.stringify(file)).toString('base64url')
}
