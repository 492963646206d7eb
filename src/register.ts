import { register } from './frameworks/register/register.js'

await register()
