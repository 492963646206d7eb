/** Files of undici that are not its public API. Its types declare only the whole. */
declare module 'undici/lib/dispatcher/agent.js' {
  export { Agent as default } from 'undici'
}
declare module 'undici/lib/api/api-request.js' {
  const request: import('undici').Dispatcher['request']
  export default request
}
