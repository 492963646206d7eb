/** The beginning of the reason why `currentcolor` cannot be applied to a drawing. */
export const SEVERAL_COLORS = 'it has several colors: '
