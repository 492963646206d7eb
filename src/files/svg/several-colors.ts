/** The beginning of the message that explains why `currentcolor` can't be applied to an SVG. */
export const SEVERAL_COLORS = 'it has several colors: '
