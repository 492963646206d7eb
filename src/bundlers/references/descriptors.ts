import type { FileDescriptor, ValueDescriptor } from '../../files/plan.js'

/** What a mark in generated code is replaced with: the address of a file, or a string made of its bytes. */
export type MarkTarget = { file: FileDescriptor } | { value: ValueDescriptor }

/** Writes a descriptor as text for generated code. `readDescriptor` of `read-descriptors.ts` reads and checks it. */
export function writeDescriptor(file: FileDescriptor): string {
  return Buffer.from(JSON.stringify(file)).toString('base64url')
}
