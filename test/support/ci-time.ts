import { expectWithin } from './budgets.js'

// The last step of `.ci/run`, with the seconds since it started.
expectWithin('ciMinutes', Math.ceil(Number(process.argv[2]) / 60))
