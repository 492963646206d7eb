import { expectWithin } from './budgets.js'

// The last step of `.ci/run`. Its argument is the number of seconds since the run started.
expectWithin('ciMinutes', Math.ceil(Number(process.argv[2]) / 60))
