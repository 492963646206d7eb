/** @param extra elements before the path */
export const drawing = (path: string, extra = ''): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24">${extra}<path fill="#e5603f" d="${path}"/></svg>\n`

export const logo = drawing('M2 2h20v6H8v6h10v8H2z')
export const retired = drawing('M12 2l10 20H2z')
export const star = drawing('M12 2l3 7h7l-6 5 3 8-7-5-7 5 3-8-6-5h7z')
