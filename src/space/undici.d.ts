/** Parts of undici that load faster than all of it. Its own types do not declare them. */
declare module 'undici/lib/dispatcher/agent.js' {
  export { Agent as default } from 'undici'
}

declare module 'undici/lib/dispatcher/dispatcher.js' {
  export { Dispatcher as default } from 'undici'
}

declare module 'undici/lib/api/index.js' {
  import { Dispatcher } from 'undici'
  const api: Pick<Dispatcher, 'request'>
  export default api
}
