// Made by unplugin-content-space from what the source imports; `npx content-space sync` renews it.
// biome-ignore-all format: this file is generated
// biome-ignore-all assist: this file is generated
/// <reference types="unplugin-content-space/client/preact" />
/// <reference types="unplugin-content-space/client" />

declare module 'content-space:app-icons/brand/app-icon?background=11373a&name=Solvane' {
  const $default: import('unplugin-content-space/asset').AppIcons
  export default $default
}

declare module 'content-space:asset/brand/coast-at-dawn?preset=hero' {
  /** Coast At Dawn (JPG, 2400 × 1600, in Photographs): Our first picture on every home page. · names: { 'coast-at-dawn': 'coastAtDawn' } ![](data:image/webp;base64,UklGRo4CAABXRUJQVlA4IIICAABwEwCdASpgAEAAPrVOoEsnJCMhqrQM+OAWiUAW5v2RyeEZ+Tj+74sVFsSz4sW0hyq+kVINBan3/NsckyDCXvS6pDCUpx9WVDa1TSP0lINF6GF/5+qH+l8EMyubJ7wjkfq6r+/qoEhacRSI9+S72FqEUIpsyySBwuIipqe6ids+iID6t+0r/vuWCTgkHmnfNjL/D1a8vlkvP1FGfSCfvkkdrb9ycAD+yVOd3LnNoaPHF8jrghyP+vuKNOvI5qpNXUoGrfP7OuQWrXPxVKvUdlu0Q+V5ZY1crAR7jApytMQdaB/uNCH0lPZRzfqMgF+UpH/vsn7EAIwcr2YZsCYXODCMa4Z4YVNQM0zvFJN5BdLKh9KDkiaEhiM2Z/KrXHlwHOWdInVk27g1AtQ1ffeO8sYEd+B0ctbDCWAL0I+MQvXwFBJ3m6i9y2JInUxBUTLNPKx7Kco6kbe5edredqul5TJ3cEznvqxUYSqNWDtqAU4XDW4Cf1bUFulvMAd3PUlHg6JVLPmzLy12KfS6e0acuSAA4CVRW5PHE7ZVnFqKqK/yd9PCsVc2nUJ9IMp66seDMLHA4qsKW8aFBVcRQwRwFXkzN20FF8bvEINzeCAgjtsScy6VlOQKS6yEPL9KGs2B6NpQDwrRsYT2bhr846TlL9Kdyr0jFOwr9bpkG2kXhdtU3ovAxCggoSSmookbFichCWZWSsKDpJ6olLFggYwGkTjbcQqroHXw9HDuP8OGBumQkSZp4DYFfFFhHp4zY/6BhXeOid8EaWxgeInYH+eGSdBWk/IAJKGu3/ipnwLETQCtqpW2uFeN4ituYEA9Vkr6BHjM+Kqk7i85rGdi6Jg5BAcAAAA=#ee349424b79c) */
  const $default: { uuid: 'A3604B2B-0128-56F5-8BE7-70F09BFD0ECF'; name: 'Coast At Dawn'; type: 'JPG'; format: 'jpg'; src: string; width: 2400; height: 1600; srcset: string; sources: [{ type: 'image/webp'; srcset: string }, { type: 'image/jpeg'; srcset: string }]; placeholder: string; notes: string; keywords: string[]; colors: unknown[]; fields: { expires: '2027-12-31'; rights: 'Web and print' } }
  export default $default
}

declare module 'content-space:asset/brand/outfit-semibold' {
  export { outfitSemibold as default } from 'content-space:kit/brand'
}

declare module 'content-space:asset/brand/solvane-logo-mono?currentcolor&as=raw' {
  /** Solvane Logo Mono (SVG, 636 × 160, in Logos): Takes the colour of the text around it. · names: { 'solvane-logo-mono': 'solvaneLogoMono' } ![](data:image/svg+xml;base64,PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciIHdpZHRoPSI5NiIgaGVpZ2h0PSIyNCIgdmlld0JveD0iMCAwIDYzNiAxNjAiIHN0eWxlPSJiYWNrZ3JvdW5kOiM5OTkiPjx0aXRsZT5Tb2x2YW5lLCBvbmUgY29sb3VyPC90aXRsZT48ZyBmaWxsPSJjdXJyZW50Q29sb3IiPjxwYXRoIGQ9Ik04Mi42NCAyMS45Mmg1NS40NGE1NS40NCA1NS40NCAwIDAgMS01NS40NCA1NS40NFpNMTM4LjA4IDgyLjY0djU1LjQ0YTU1LjQ0IDU1LjQ0IDAgMCAxLTU1LjQ0LTU1LjQ0Wk03Ny4zNiAxMzguMDhIMjEuOTJhNTUuNDQgNTUuNDQgMCAwIDEgNTUuNDQtNTUuNDRaTTIxLjkyIDc3LjM2VjIxLjkyYTU1LjQ0IDU1LjQ0IDAgMCAxIDU1LjQ0IDU1LjQ0WiIvPjwvZz48cGF0aCBmaWxsPSJub25lIiBzdHJva2U9ImN1cnJlbnRDb2xvciIgc3Ryb2tlLWxpbmVjYXA9InJvdW5kIiBzdHJva2UtbGluZWpvaW49InJvdW5kIiBzdHJva2Utd2lkdGg9IjEzIiBkPSJNMjIyLjUgNzEuMmMtMy41LTUtOS41LTcuNi0xOC03LjYtMTAuNSAwLTE3IDQuOC0xNyAxMS44IDAgNy40IDcgOS44IDE3LjUgMTEuOCAxMSAyLjEgMTkgNC42IDE5IDEyLjQgMCA3LjMtNy41IDEyLTE5IDEyLTkuNSAwLTE2LTMtMTkuNS04LjRNMjUwIDg3LjZhMjQgMjQgMCAxIDAgNDggMCAyNCAyNCAwIDEgMC00OCAwbTc2LTU0djc4bTIyLTQ4IDIzIDQ3IDIzLTQ3bTIwIDI0YTI0IDI0IDAgMSAwIDQ4IDAgMjQgMjQgMCAxIDAtNDggMG00OC0yNHY0OG0zMCAwdi00OG0wIDIyYzAtMTMuNSA5LTIyIDIxLTIyIDEzIDAgMjEgOC41IDIxIDIydjI2bTI4LTI0aDQ4YTI0IDI0IDAgMSAwLTYuOCAxNi42Ii8+PC9zdmc+#b63957f5c231) */
  const $default: string
  export default $default
}

declare module 'content-space:kit/brand' {
  /** App Icon (SVG, 512 × 512, in Logos): For home screens and stores. · names: { 'app-icon': 'appIcon' } ![](data:image/svg+xml;base64,PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciIHdpZHRoPSI5NiIgaGVpZ2h0PSI5NiIgdmlld0JveD0iMCAwIDUxMiA1MTIiIHN0eWxlPSJiYWNrZ3JvdW5kOiM5OTkiPjx0aXRsZT5Tb2x2YW5lIGFwcCBpY29uPC90aXRsZT48cmVjdCB3aWR0aD0iNTEyIiBoZWlnaHQ9IjUxMiIgZmlsbD0iIzExMzczYSIgcng9IjExNiIvPjxwYXRoIGZpbGw9IiNmNGE5MzUiIGQ9Ik0yNjIuNCAxMTUuMmgxMzQuNGExMzQuNCAxMzQuNCAwIDAgMS0xMzQuNCAxMzQuNFoiLz48cGF0aCBmaWxsPSIjZTU2MDNmIiBkPSJNMzk2LjggMjYyLjR2MTM0LjRhMTM0LjQgMTM0LjQgMCAwIDEtMTM0LjQtMTM0LjRaIi8+PHBhdGggZmlsbD0iIzVkYjhhZSIgZD0iTTI0OS42IDM5Ni44SDExNS4yYTEzNC40IDEzNC40IDAgMCAxIDEzNC40LTEzNC40WiIvPjxwYXRoIGZpbGw9IiNmZmYiIGQ9Ik0xMTUuMiAyNDkuNlYxMTUuMmExMzQuNCAxMzQuNCAwIDAgMSAxMzQuNCAxMzQuNFoiLz48L3N2Zz4=#cedce89f4e5e) */
  export const appIcon: { uuid: 'CAE1DD58-836A-5F94-80E5-F4FFD6344AA3'; name: 'App Icon'; type: 'SVG'; format: 'svg'; src: string; width: 512; height: 512; notes: string; keywords: string[]; colors: unknown[] }
  /** Arrow Left (SVG, 24 × 24, in Icons) · names: { 'arrow-left': 'arrowLeft' } */
  export const arrowLeft: { uuid: '9C89C4B1-83D7-5E24-8236-43332C447745'; name: 'Arrow Left'; type: 'SVG'; format: 'svg'; src: string; width: 24; height: 24; notes: string; keywords: string[]; colors: unknown[] }
  /** Arrow Right (SVG, 24 × 24, in Icons) · names: { 'arrow-right': 'arrowRight' } */
  export const arrowRight: { uuid: '9564B30E-1941-58C3-BC09-5B98EF0ED3AA'; name: 'Arrow Right'; type: 'SVG'; format: 'svg'; src: string; width: 24; height: 24; notes: string; keywords: string[]; colors: unknown[] }
  /** Battery (SVG, 24 × 24, in Icons) · names: { 'battery': 'battery' } */
  export const battery: { uuid: '2CA3E55F-D4BE-517F-A002-0EE3E21F99D3'; name: 'Battery'; type: 'SVG'; format: 'svg'; src: string; width: 24; height: 24; notes: string; keywords: string[]; colors: unknown[] }
  /** Beacon Lantern (PNG, 900 × 1200, in Product): Cut out, with its glow: it stands on any ground. · names: { 'beacon-lantern': 'beaconLantern' } */
  export const beaconLantern: { uuid: '4EFD7CF5-234B-5B1A-8D5F-EFCEDB2AA7BC'; name: 'Beacon Lantern'; type: 'PNG'; format: 'png'; src: string; width: 900; height: 1200; notes: string; keywords: string[]; colors: unknown[] }
  /** Bolt (SVG, 24 × 24, in Icons) · names: { 'bolt': 'bolt' } */
  export const bolt: { uuid: '73F1913C-07A2-5D7E-9FDB-7E2FE54B78B9'; name: 'Bolt'; type: 'SVG'; format: 'svg'; src: string; width: 24; height: 24; notes: string; keywords: string[]; colors: unknown[] }
  /** Brand Guide (PDF, in Print): Two pages: logo and colour. · names: { 'brand-guide': 'brandGuide' } */
  export const brandGuide: { uuid: 'EBC98A36-CC7A-5D2A-88FD-3B109345F40F'; name: 'Brand Guide'; type: 'PDF'; format: 'pdf'; src: string; notes: string; keywords: string[]; colors: unknown[] }
  /** Business Card Back (SVG, 850 × 550, in Stationery) · names: { 'business-card-back': 'businessCardBack' } */
  export const businessCardBack: { uuid: '40155323-9D36-5A19-90CE-495729C71A05'; name: 'Business Card Back'; type: 'SVG'; format: 'svg'; src: string; width: 850; height: 550; notes: string; keywords: string[]; colors: unknown[] }
  /** Business Card Front (SVG, 850 × 550, in Stationery) · names: { 'business-card-front': 'businessCardFront' } */
  export const businessCardFront: { uuid: '60D6CB56-A2D5-5D02-9AEB-A0054E75611F'; name: 'Business Card Front'; type: 'SVG'; format: 'svg'; src: string; width: 850; height: 550; notes: string; keywords: string[]; colors: unknown[] }
  /** Cloud Rain (SVG, 24 × 24, in Icons) · names: { 'cloud-rain': 'cloudRain' } */
  export const cloudRain: { uuid: '2C0C8AFE-77BF-5D82-82AF-170905683202'; name: 'Cloud Rain'; type: 'SVG'; format: 'svg'; src: string; width: 24; height: 24; notes: string; keywords: string[]; colors: unknown[] }
  /** Coast At Dawn (JPG, 2400 × 1600, in Photographs): Our first picture on every home page. · names: { 'coast-at-dawn': 'coastAtDawn' } ![](data:image/webp;base64,UklGRo4CAABXRUJQVlA4IIICAABwEwCdASpgAEAAPrVOoEsnJCMhqrQM+OAWiUAW5v2RyeEZ+Tj+74sVFsSz4sW0hyq+kVINBan3/NsckyDCXvS6pDCUpx9WVDa1TSP0lINF6GF/5+qH+l8EMyubJ7wjkfq6r+/qoEhacRSI9+S72FqEUIpsyySBwuIipqe6ids+iID6t+0r/vuWCTgkHmnfNjL/D1a8vlkvP1FGfSCfvkkdrb9ycAD+yVOd3LnNoaPHF8jrghyP+vuKNOvI5qpNXUoGrfP7OuQWrXPxVKvUdlu0Q+V5ZY1crAR7jApytMQdaB/uNCH0lPZRzfqMgF+UpH/vsn7EAIwcr2YZsCYXODCMa4Z4YVNQM0zvFJN5BdLKh9KDkiaEhiM2Z/KrXHlwHOWdInVk27g1AtQ1ffeO8sYEd+B0ctbDCWAL0I+MQvXwFBJ3m6i9y2JInUxBUTLNPKx7Kco6kbe5edredqul5TJ3cEznvqxUYSqNWDtqAU4XDW4Cf1bUFulvMAd3PUlHg6JVLPmzLy12KfS6e0acuSAA4CVRW5PHE7ZVnFqKqK/yd9PCsVc2nUJ9IMp66seDMLHA4qsKW8aFBVcRQwRwFXkzN20FF8bvEINzeCAgjtsScy6VlOQKS6yEPL9KGs2B6NpQDwrRsYT2bhr846TlL9Kdyr0jFOwr9bpkG2kXhdtU3ovAxCggoSSmookbFichCWZWSsKDpJ6olLFggYwGkTjbcQqroHXw9HDuP8OGBumQkSZp4DYFfFFhHp4zY/6BhXeOid8EaWxgeInYH+eGSdBWk/IAJKGu3/ipnwLETQCtqpW2uFeN4ituYEA9Vkr6BHjM+Kqk7i85rGdi6Jg5BAcAAAA=#ee349424b79c) */
  export const coastAtDawn: { uuid: 'A3604B2B-0128-56F5-8BE7-70F09BFD0ECF'; name: 'Coast At Dawn'; type: 'JPG'; format: 'jpg'; src: string; width: 2400; height: 1600; notes: string; keywords: string[]; colors: unknown[]; fields: { expires: '2027-12-31'; rights: 'Web and print' } }
  /** Compass (SVG, 24 × 24, in Icons) · names: { 'compass': 'compass' } */
  export const compass: { uuid: 'B48E1FFD-DEA0-56AB-B09B-F82660C74E84'; name: 'Compass'; type: 'SVG'; format: 'svg'; src: string; width: 24; height: 24; notes: string; keywords: string[]; colors: unknown[] }
  /** Coral (COLOR, in Colours): One accent a page. · names: { 'coral': 'coral' } */
  export const coral: { uuid: '2E53FF3D-9257-5083-851C-9450F9B6CA73'; name: 'Coral'; type: 'COLOR'; meta: Record<string, never>; notes: string; keywords: string[]; colors: { alpha: number; brightness: number; coverage: number; hue: number; name: string; saturation: number }[] }
  /** Drop (SVG, 24 × 24, in Icons) · names: { 'drop': 'drop' } */
  export const drop: { uuid: '56886F73-C5A7-5754-92CB-F62934A74062'; name: 'Drop'; type: 'SVG'; format: 'svg'; src: string; width: 24; height: 24; notes: string; keywords: string[]; colors: unknown[] }
  /** Dunes At Noon (JPG, 1920 × 1280, in Photographs) · names: { 'dunes-at-noon': 'dunesAtNoon' } */
  export const dunesAtNoon: { uuid: 'D7DA6675-D811-5604-8DDE-D021393AF9E2'; name: 'Dunes At Noon'; type: 'JPG'; format: 'jpg'; src: string; width: 1920; height: 1280; notes: string; keywords: string[]; colors: unknown[] }
  /** Flame (SVG, 24 × 24, in Icons) · names: { 'flame': 'flame' } */
  export const flame: { uuid: '9343AD2A-5C65-575C-ABCC-B6ADD7AADF31'; name: 'Flame'; type: 'SVG'; format: 'svg'; src: string; width: 24; height: 24; notes: string; keywords: string[]; colors: unknown[] }
  /** Heart (SVG, 24 × 24, in Icons) · names: { 'heart': 'heart' } */
  export const heart: { uuid: 'D3720244-5191-578F-92C1-0F985DF9C9E4'; name: 'Heart'; type: 'SVG'; format: 'svg'; src: string; width: 24; height: 24; notes: string; keywords: string[]; colors: unknown[] }
  /** Lantern (SVG, 24 × 24, in Icons) · names: { 'lantern': 'lantern' } */
  export const lantern: { uuid: '9B9C8C81-72A2-5369-ACD2-B5050F083F70'; name: 'Lantern'; type: 'SVG'; format: 'svg'; src: string; width: 24; height: 24; notes: string; keywords: string[]; colors: unknown[] }
  /** Leaf (SVG, 24 × 24, in Icons) · names: { 'leaf': 'leaf' } */
  export const leaf: { uuid: '65815785-1083-517A-949F-470DA9A92954'; name: 'Leaf'; type: 'SVG'; format: 'svg'; src: string; width: 24; height: 24; notes: string; keywords: string[]; colors: unknown[] }
  /** Letterhead (SVG, 840 × 1188, in Stationery) · names: { 'letterhead': 'letterhead' } */
  export const letterhead: { uuid: 'AAE25EFB-CCD7-5BC0-A132-FECF0EC82804'; name: 'Letterhead'; type: 'SVG'; format: 'svg'; src: string; width: 840; height: 1188; notes: string; keywords: string[]; colors: unknown[] }
  /** Map Pin (SVG, 24 × 24, in Icons) · names: { 'map-pin': 'mapPin' } */
  export const mapPin: { uuid: 'C2FFC840-B897-5A22-AFE6-D7567AD06BC5'; name: 'Map Pin'; type: 'SVG'; format: 'svg'; src: string; width: 24; height: 24; notes: string; keywords: string[]; colors: unknown[] }
  /** Mist (COLOR, in Colours): Light grounds. · names: { 'mist': 'mist' } */
  export const mist: { uuid: 'BBFABB59-2108-5BFB-B4F5-2B5E647F4481'; name: 'Mist'; type: 'COLOR'; meta: Record<string, never>; notes: string; keywords: string[]; colors: { alpha: number; brightness: number; coverage: number; hue: number; name: string; saturation: number }[] }
  /** Moon (SVG, 24 × 24, in Icons) · names: { 'moon': 'moon' } */
  export const moon: { uuid: '9491EB36-8B2E-55DD-A82B-12EA2F516B84'; name: 'Moon'; type: 'SVG'; format: 'svg'; src: string; width: 24; height: 24; notes: string; keywords: string[]; colors: unknown[] }
  /** Mountain (SVG, 24 × 24, in Icons) · names: { 'mountain': 'mountain' } */
  export const mountain: { uuid: '200F4F64-7682-5F37-A08B-0EBB85DDD4F5'; name: 'Mountain'; type: 'SVG'; format: 'svg'; src: string; width: 24; height: 24; notes: string; keywords: string[]; colors: unknown[] }
  /** Night Camp (JPG, 1920 × 1280, in Photographs): One Beacon lights the tent. · names: { 'night-camp': 'nightCamp' } */
  export const nightCamp: { uuid: 'E01842A9-31E1-5A1D-87EA-754B715F8049'; name: 'Night Camp'; type: 'JPG'; format: 'jpg'; src: string; width: 1920; height: 1280; notes: string; keywords: string[]; colors: unknown[]; fields: { expires: '2028-06-30'; rights: 'Web' } }
  /** Outfit Semibold (TEXT_STYLE, in Fonts): Headings. SIL Open Font License 1.1, see OFL-Outfit.txt beside the kit. · names: { 'outfit-semibold': 'outfitSemibold' } */
  export const outfitSemibold: { uuid: 'E7EC1A10-B801-5371-9875-BF45EC911ADE'; name: 'Outfit Semibold'; type: 'TEXT_STYLE'; format: 'woff2'; src: string; notes: string; keywords: string[]; colors: unknown[] }
  /** Pine (COLOR, in Colours): Text, and dark grounds. · names: { 'pine': 'pine' } */
  export const pine: { uuid: '9324912A-70B4-51CE-90FE-2B44F8A404FD'; name: 'Pine'; type: 'COLOR'; meta: Record<string, never>; notes: string; keywords: string[]; colors: { alpha: number; brightness: number; coverage: number; hue: number; name: string; saturation: number }[] }
  /** Pines In Mist (JPG, 1920 × 1280, in Photographs) · names: { 'pines-in-mist': 'pinesInMist' } */
  export const pinesInMist: { uuid: '041148CD-6584-57DD-816B-7EF674DDA5CF'; name: 'Pines In Mist'; type: 'JPG'; format: 'jpg'; src: string; width: 1920; height: 1280; notes: string; keywords: string[]; colors: unknown[] }
  /** Ridge In Fog (JPG, 1920 × 1280, in Photographs): Calm enough to set text on its upper third. · names: { 'ridge-in-fog': 'ridgeInFog' } */
  export const ridgeInFog: { uuid: '7C8DF526-3E5C-5787-8A13-E77026F5E79E'; name: 'Ridge In Fog'; type: 'JPG'; format: 'jpg'; src: string; width: 1920; height: 1280; notes: string; keywords: string[]; colors: unknown[] }
  /** Search (SVG, 24 × 24, in Icons) · names: { 'search': 'search' } */
  export const search: { uuid: 'BDAAC922-BF06-5217-9BEC-A516A025BEAC'; name: 'Search'; type: 'SVG'; format: 'svg'; src: string; width: 24; height: 24; notes: string; keywords: string[]; colors: unknown[] }
  /** Sign Plate (EPS, in Print): Enamel, 48 cm square. · names: { 'sign-plate': 'signPlate' } */
  export const signPlate: { uuid: 'DFF53CD2-8AAB-525D-814F-031D88B8191C'; name: 'Sign Plate'; type: 'EPS'; format: 'eps'; src: string; notes: string; keywords: string[]; colors: unknown[] }
  /** Social Card (SVG, 1200 × 630, in Stationery) · names: { 'social-card': 'socialCard' } */
  export const socialCard: { uuid: '8749A659-C3C9-5196-AE68-DD9EEF139482'; name: 'Social Card'; type: 'SVG'; format: 'svg'; src: string; width: 1200; height: 630; notes: string; keywords: string[]; colors: unknown[] }
  /** Solvane Logo (SVG, 636 × 160, in Logos): The first choice, on light grounds. · names: { 'solvane-logo': 'solvaneLogo' } */
  export const solvaneLogo: { uuid: 'E1EA51B5-E280-52CD-823A-22E093E25577'; name: 'Solvane Logo'; type: 'SVG'; format: 'svg'; src: string; width: 636; height: 160; notes: string; keywords: string[]; colors: unknown[] }
  /** Solvane Logo Mono (SVG, 636 × 160, in Logos): Takes the colour of the text around it. · names: { 'solvane-logo-mono': 'solvaneLogoMono' } ![](data:image/svg+xml;base64,PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciIHdpZHRoPSI5NiIgaGVpZ2h0PSIyNCIgdmlld0JveD0iMCAwIDYzNiAxNjAiIHN0eWxlPSJiYWNrZ3JvdW5kOiM5OTkiPjx0aXRsZT5Tb2x2YW5lLCBvbmUgY29sb3VyPC90aXRsZT48ZyBmaWxsPSJjdXJyZW50Q29sb3IiPjxwYXRoIGQ9Ik04Mi42NCAyMS45Mmg1NS40NGE1NS40NCA1NS40NCAwIDAgMS01NS40NCA1NS40NFpNMTM4LjA4IDgyLjY0djU1LjQ0YTU1LjQ0IDU1LjQ0IDAgMCAxLTU1LjQ0LTU1LjQ0Wk03Ny4zNiAxMzguMDhIMjEuOTJhNTUuNDQgNTUuNDQgMCAwIDEgNTUuNDQtNTUuNDRaTTIxLjkyIDc3LjM2VjIxLjkyYTU1LjQ0IDU1LjQ0IDAgMCAxIDU1LjQ0IDU1LjQ0WiIvPjwvZz48cGF0aCBmaWxsPSJub25lIiBzdHJva2U9ImN1cnJlbnRDb2xvciIgc3Ryb2tlLWxpbmVjYXA9InJvdW5kIiBzdHJva2UtbGluZWpvaW49InJvdW5kIiBzdHJva2Utd2lkdGg9IjEzIiBkPSJNMjIyLjUgNzEuMmMtMy41LTUtOS41LTcuNi0xOC03LjYtMTAuNSAwLTE3IDQuOC0xNyAxMS44IDAgNy40IDcgOS44IDE3LjUgMTEuOCAxMSAyLjEgMTkgNC42IDE5IDEyLjQgMCA3LjMtNy41IDEyLTE5IDEyLTkuNSAwLTE2LTMtMTkuNS04LjRNMjUwIDg3LjZhMjQgMjQgMCAxIDAgNDggMCAyNCAyNCAwIDEgMC00OCAwbTc2LTU0djc4bTIyLTQ4IDIzIDQ3IDIzLTQ3bTIwIDI0YTI0IDI0IDAgMSAwIDQ4IDAgMjQgMjQgMCAxIDAtNDggMG00OC0yNHY0OG0zMCAwdi00OG0wIDIyYzAtMTMuNSA5LTIyIDIxLTIyIDEzIDAgMjEgOC41IDIxIDIydjI2bTI4LTI0aDQ4YTI0IDI0IDAgMSAwLTYuOCAxNi42Ii8+PC9zdmc+#b63957f5c231) */
  export const solvaneLogoMono: { uuid: '3A08C1D5-17BD-587B-8711-EE30C09119FE'; name: 'Solvane Logo Mono'; type: 'SVG'; format: 'svg'; src: string; width: 636; height: 160; notes: string; keywords: string[]; colors: unknown[] }
  /** Solvane Logo Reversed (SVG, 636 × 160, in Logos): For grounds darker than Tide. · names: { 'solvane-logo-reversed': 'solvaneLogoReversed' } */
  export const solvaneLogoReversed: { uuid: '34D8E5ED-9E33-555D-8E60-41A795D7D88E'; name: 'Solvane Logo Reversed'; type: 'SVG'; format: 'svg'; src: string; width: 636; height: 160; notes: string; keywords: string[]; colors: unknown[] }
  /** Solvane Logo Stacked (SVG, 484 × 300, in Logos): Where width is short. · names: { 'solvane-logo-stacked': 'solvaneLogoStacked' } */
  export const solvaneLogoStacked: { uuid: 'BFD93B6C-2E0E-5144-8B77-31B8A656460B'; name: 'Solvane Logo Stacked'; type: 'SVG'; format: 'svg'; src: string; width: 484; height: 300; notes: string; keywords: string[]; colors: unknown[] }
  /** Solvane Mark (SVG, 120 × 120, in Logos): Four blades: sun, coral, tide and pine. · names: { 'solvane-mark': 'solvaneMark' } ![](data:image/svg+xml;base64,PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciIHdpZHRoPSI5NiIgaGVpZ2h0PSI5NiIgdmlld0JveD0iMCAwIDEyMCAxMjAiIHN0eWxlPSJiYWNrZ3JvdW5kOiM5OTkiPjx0aXRsZT5Tb2x2YW5lIG1hcms8L3RpdGxlPjxwYXRoIGZpbGw9IiNmNGE5MzUiIGQ9Ik02MiAxNmg0MmE0MiA0MiAwIDAgMS00MiA0MloiLz48cGF0aCBmaWxsPSIjZTU2MDNmIiBkPSJNMTA0IDYydjQyYTQyIDQyIDAgMCAxLTQyLTQyWiIvPjxwYXRoIGZpbGw9IiMxZjdhNzgiIGQ9Ik01OCAxMDRIMTZhNDIgNDIgMCAwIDEgNDItNDJaIi8+PHBhdGggZmlsbD0iIzExMzczYSIgZD0iTTE2IDU4VjE2YTQyIDQyIDAgMCAxIDQyIDQyWiIvPjwvc3ZnPg==#cfe2b9e5a713) */
  export const solvaneMark: { uuid: '008BAAEE-C242-53D6-85CB-875434EEB84E'; name: 'Solvane Mark'; type: 'SVG'; format: 'svg'; src: string; width: 120; height: 120; dark: { src: string; width: 120; height: 120 }; notes: string; keywords: string[]; colors: unknown[] }
  /** Solvane Mark Mono (SVG, 120 × 120, in Logos): Takes the colour of the text around it. · names: { 'solvane-mark-mono': 'solvaneMarkMono' } */
  export const solvaneMarkMono: { uuid: '634996A9-3E8B-5EE7-8DBD-46B2E6B002E6'; name: 'Solvane Mark Mono'; type: 'SVG'; format: 'svg'; src: string; width: 120; height: 120; notes: string; keywords: string[]; colors: unknown[] }
  /** Solvane Mark Reversed (SVG, 120 × 120, in Logos): For grounds darker than Tide. · names: { 'solvane-mark-reversed': 'solvaneMarkReversed' } */
  export const solvaneMarkReversed: { uuid: 'FE5A9AEC-B0AB-55B4-8F3C-121FAE0BF66A'; name: 'Solvane Mark Reversed'; type: 'SVG'; format: 'svg'; src: string; width: 120; height: 120; notes: string; keywords: string[]; colors: unknown[] }
  /** Solvane Wordmark (SVG, 484 × 130, in Logos): Only beside a mark that is already there. · names: { 'solvane-wordmark': 'solvaneWordmark' } */
  export const solvaneWordmark: { uuid: '38E6D4A9-4EE7-565A-808C-979F35F1A74E'; name: 'Solvane Wordmark'; type: 'SVG'; format: 'svg'; src: string; width: 484; height: 130; notes: string; keywords: string[]; colors: unknown[] }
  /** Sun (COLOR, in Colours): Never for text on white. · names: { 'sun-151364a9': 'sunColour' } */
  export const sunColour: { uuid: '151364A9-73B3-50DE-BAE8-32DC6F15B8A5'; name: 'Sun'; type: 'COLOR'; meta: Record<string, never>; notes: string; keywords: string[]; colors: { alpha: number; brightness: number; coverage: number; hue: number; name: string; saturation: number }[] }
  /** Sun (SVG, 24 × 24, in Icons) · names: { 'sun-9aa35486': 'sunIcon' } */
  export const sunIcon: { uuid: '9AA35486-EF76-5B09-AE1C-253A008E0A78'; name: 'Sun'; type: 'SVG'; format: 'svg'; src: string; width: 24; height: 24; notes: string; keywords: string[]; colors: unknown[] }
  /** Tent (SVG, 24 × 24, in Icons) · names: { 'tent': 'tent' } */
  export const tent: { uuid: '7E20EE52-C199-524F-BC60-579BBD5CA787'; name: 'Tent'; type: 'SVG'; format: 'svg'; src: string; width: 24; height: 24; notes: string; keywords: string[]; colors: unknown[] }
  /** Tide (COLOR, in Colours): Links. · names: { 'tide': 'tide' } */
  export const tide: { uuid: '75210CD5-E1CD-54E7-8D79-FAA39BA7F11D'; name: 'Tide'; type: 'COLOR'; meta: Record<string, never>; notes: string; keywords: string[]; colors: { alpha: number; brightness: number; coverage: number; hue: number; name: string; saturation: number }[] }
  /** Tide Lines (JPG, 1920 × 1280, in Photographs): From above, the shore runs to the upper right. · names: { 'tide-lines': 'tideLines' } */
  export const tideLines: { uuid: 'D4E10D64-6AFF-5234-8397-266BAC7EA89F'; name: 'Tide Lines'; type: 'JPG'; format: 'jpg'; src: string; width: 1920; height: 1280; notes: string; keywords: string[]; colors: unknown[] }
  /** Tree (SVG, 24 × 24, in Icons) · names: { 'tree': 'tree' } */
  export const tree: { uuid: '4FC7304B-4E8C-5BBA-94AC-8484486CE95D'; name: 'Tree'; type: 'SVG'; format: 'svg'; src: string; width: 24; height: 24; notes: string; keywords: string[]; colors: unknown[] }
  /** Turning Mark (GIF, 240 × 240, in Product): One turn a second, for loading. · names: { 'turning-mark': 'turningMark' } */
  export const turningMark: { uuid: 'B9BEE9CA-20D6-5F6C-842D-856096980120'; name: 'Turning Mark'; type: 'GIF'; format: 'gif'; src: string; width: 240; height: 240; notes: string; keywords: string[]; colors: unknown[] }
  /** Wave (SVG, 24 × 24, in Icons) · names: { 'wave': 'wave' } */
  export const wave: { uuid: 'BF09C84B-F6F0-5302-B1A8-20F4D006CE44'; name: 'Wave'; type: 'SVG'; format: 'svg'; src: string; width: 24; height: 24; notes: string; keywords: string[]; colors: unknown[] }
  /** Wind (SVG, 24 × 24, in Icons) · names: { 'wind': 'wind' } */
  export const wind: { uuid: 'A9DFF5DB-2686-5DE8-AE2C-8868F09487FC'; name: 'Wind'; type: 'SVG'; format: 'svg'; src: string; width: 24; height: 24; notes: string; keywords: string[]; colors: unknown[] }
  /** Wrapping Pattern (TIFF, 900 × 600, in Print): Repeats every 90 cm. · names: { 'wrapping-pattern': 'wrappingPattern' } */
  export const wrappingPattern: { uuid: '772E5176-8F3F-5AD6-8CC8-DC0854A73678'; name: 'Wrapping Pattern'; type: 'TIFF'; format: 'tiff'; src: string; width: 900; height: 600; notes: string; keywords: string[]; colors: unknown[] }
  const $default: { uuid: '3F8B9F14-13A5-557B-8CDA-3C3CED01C01A'; name: 'Solvane Brand'; status: string; version: 1; versionIdentifier: '1.0'; notes: string; counts: { assets: number; items: number; sections: number }; dateAdded: string; dateUpdated: string; fields: [{ id: 1; key: 'expires'; name: 'Expires'; type: 'date' }, { id: 2; key: 'rights'; name: 'Rights'; type: 'select'; options: ['Web', 'Web and print'] }]; sections: [{ uuid: '6348A72C-49F4-5EF9-86A5-ADAB46F8E9A3'; name: 'Logos'; counts: { assets: number; items: number }; items: [{ type: 'heading'; uuid: 'C0DF42BB-194F-53E7-8B63-21E1DC3412CC'; content: 'Logo'; displaySize: 'default' }, { type: 'asset'; uuid: '179F03FC-5C87-515C-AB05-1838F87F447C'; displaySize: 'default'; asset: typeof solvaneLogo }, { type: 'asset'; uuid: '3B490910-4825-500E-9653-823501FAACF1'; displaySize: 'default'; asset: typeof solvaneLogoReversed }, { type: 'asset'; uuid: '3DBD1C20-F159-5854-84F9-5D37280A289C'; displaySize: 'default'; asset: typeof solvaneLogoMono }, { type: 'asset'; uuid: '42B7890A-D406-5CAB-A14D-734DE470ADC5'; displaySize: 'default'; asset: typeof solvaneLogoStacked }, { type: 'asset'; uuid: '64CE7B87-0805-5EB9-BD34-47C5924FDCB9'; displaySize: 'default'; asset: typeof solvaneWordmark }, { type: 'heading'; uuid: 'A0FFBD41-C288-55CB-858D-2C06AC6172B5'; content: 'On dark ground'; displaySize: 'default' }, { type: 'inline_note'; uuid: 'FF2D9A2C-6031-53FB-91C9-A046526B32D9'; content: string }, { type: 'guide'; uuid: 'F09DCFDD-0299-5110-A605-55999A021AEE'; title: string; content: string; color: string; asset: typeof solvaneLogoReversed; display: { cardBackgroundColor: string } }, { type: 'guide'; uuid: '58F96B13-8DE6-51A7-A7C5-0AC3E5369FFC'; title: string; content: string; color: string; asset: typeof solvaneLogo; display: { cardBackgroundColor: string } }, { type: 'heading'; uuid: '7E308490-88F5-5644-887A-17003D93969E'; content: 'Mark'; displaySize: 'default' }, { type: 'asset'; uuid: '8150CF56-F67B-5258-8EB9-EF39F2523CBD'; displaySize: 'default'; asset: typeof solvaneMark }, { type: 'asset'; uuid: '8D5753E4-062B-5F15-9E72-238F640EE5C9'; displaySize: 'default'; asset: typeof solvaneMarkReversed }, { type: 'asset'; uuid: '2FF8BD03-73CA-53D3-8F93-DAF2021249D4'; displaySize: 'default'; asset: typeof solvaneMarkMono }, { type: 'asset'; uuid: 'FAC3FEB0-8D44-5EEF-ACAD-289B3EA7AE35'; displaySize: 'default'; asset: typeof appIcon }] }, { uuid: '233D3965-D769-5AAA-ACC2-8065C8000D7A'; name: 'Colours'; counts: { assets: number; items: number }; items: [{ type: 'asset'; uuid: 'A8E9B849-13B4-5A4A-A85E-0FC5FFA6A3FE'; displaySize: 'default'; asset: typeof coral }, { type: 'asset'; uuid: 'ED8C4689-36E7-54AD-A678-85D9D2E31BF9'; displaySize: 'default'; asset: typeof mist }, { type: 'asset'; uuid: '63523CF6-A8D0-56E7-B079-F8198EA37827'; displaySize: 'default'; asset: typeof pine }, { type: 'asset'; uuid: '9D6CA82A-FBE9-5940-A1B0-2703C69E9F15'; displaySize: 'default'; asset: typeof sunColour }, { type: 'asset'; uuid: '5DC82D42-CB89-5838-A3FF-E8357684A2CC'; displaySize: 'default'; asset: typeof tide }] }, { uuid: '2C454D94-F1B4-51E8-B6BA-3FF10F9D479D'; name: 'Icons'; counts: { assets: number; items: number }; items: [{ type: 'heading'; uuid: 'EB595591-BE60-5E8B-A852-643A4F79E20D'; content: 'Weather'; displaySize: 'default' }, { type: 'asset'; uuid: '4F71E843-839B-5391-B22C-FA9D0B8CF97D'; displaySize: 'default'; asset: typeof cloudRain }, { type: 'asset'; uuid: '4B19407A-E243-5E77-B137-F2086D93C9EA'; displaySize: 'default'; asset: typeof drop }, { type: 'asset'; uuid: '77855EE3-0B42-5C89-840E-4EC12B501F3E'; displaySize: 'default'; asset: typeof moon }, { type: 'asset'; uuid: '9BCE2086-344B-5E62-9F1F-3E1FD9500C43'; displaySize: 'default'; asset: typeof sunIcon }, { type: 'asset'; uuid: 'ACDF95B1-0F7F-59C8-A67B-3D9DA81BCA5E'; displaySize: 'default'; asset: typeof wave }, { type: 'asset'; uuid: '780FB127-D624-57E7-97BD-DC13C8B6F809'; displaySize: 'default'; asset: typeof wind }, { type: 'heading'; uuid: 'DDF2F04D-AE61-5B1E-B88B-282384B5FE98'; content: 'Outdoors'; displaySize: 'default' }, { type: 'asset'; uuid: 'E61F8CC2-A10D-5FB5-A296-FA0DF087E488'; displaySize: 'default'; asset: typeof compass }, { type: 'asset'; uuid: '1F1F9ECB-2439-5F01-AF53-DE8F1382544B'; displaySize: 'default'; asset: typeof flame }, { type: 'asset'; uuid: 'F5D3B142-A3C3-540B-873C-FCD3FAE9BD0F'; displaySize: 'default'; asset: typeof lantern }, { type: 'asset'; uuid: 'DC6B73A0-ACE0-5A75-8921-96FC6C44E4EE'; displaySize: 'default'; asset: typeof leaf }, { type: 'asset'; uuid: '6039582C-9636-51BB-B39C-85DFF19C9926'; displaySize: 'default'; asset: typeof mapPin }, { type: 'asset'; uuid: '640D4B67-ABCB-5A54-A376-EC0C72AAE6A9'; displaySize: 'default'; asset: typeof mountain }, { type: 'asset'; uuid: '80638641-8C1C-57B8-A23F-78805EE15B09'; displaySize: 'default'; asset: typeof tent }, { type: 'asset'; uuid: '1FFA8ED6-81CC-594C-AD8E-C607AA8C8ECD'; displaySize: 'default'; asset: typeof tree }, { type: 'heading'; uuid: '6DE99EE0-1FE5-5148-ABC3-3A0FFEB21761'; content: 'Interface'; displaySize: 'default' }, { type: 'asset'; uuid: '0A19F1C4-2F67-5465-8C3E-435B895B25B9'; displaySize: 'default'; asset: typeof arrowLeft }, { type: 'asset'; uuid: '7C4A5FE3-9CAD-5DEE-9D26-F9D925269880'; displaySize: 'default'; asset: typeof arrowRight }, { type: 'asset'; uuid: '9AA72D79-CD95-528E-8409-F871748CF973'; displaySize: 'default'; asset: typeof battery }, { type: 'asset'; uuid: '51C46912-F394-5712-A77F-AC4C3AF2E01F'; displaySize: 'default'; asset: typeof bolt }, { type: 'asset'; uuid: 'BAA8E051-B8E7-5EAC-9D25-10153F5B7134'; displaySize: 'default'; asset: typeof heart }, { type: 'asset'; uuid: '7383E919-3BE9-5459-AB1B-0D54A2525B5B'; displaySize: 'default'; asset: typeof search }] }, { uuid: '191BB92F-3470-5FE1-8693-E64CBDEEEC1F'; name: 'Photographs'; counts: { assets: number; items: number }; items: [{ type: 'inline_note'; uuid: '25A97F8F-4073-56AB-A24B-1846FB2B0209'; content: string }, { type: 'heading'; uuid: '44ECED53-0C8D-5909-85FB-CA51E2343194'; content: 'Sea'; displaySize: 'default' }, { type: 'asset'; uuid: '442F0732-F6A5-5192-9E57-FB44FD0B5B84'; displaySize: 'default'; asset: typeof coastAtDawn }, { type: 'asset'; uuid: 'FF352EF8-8D80-518D-B1DD-5E7CF37BF84E'; displaySize: 'default'; asset: typeof tideLines }, { type: 'heading'; uuid: '5C281BC9-AC84-5582-857E-9D6D21DF70A6'; content: 'Land'; displaySize: 'default' }, { type: 'asset'; uuid: '375BA042-C1A7-5B22-8225-13EA772621DE'; displaySize: 'default'; asset: typeof ridgeInFog }, { type: 'asset'; uuid: '4616AB90-A43F-52DE-BACC-1685245E5D76'; displaySize: 'default'; asset: typeof pinesInMist }, { type: 'asset'; uuid: '55351EB9-52B8-5D16-987C-424CD718D6C3'; displaySize: 'default'; asset: typeof dunesAtNoon }, { type: 'heading'; uuid: 'AC2729CC-97B9-5574-81E5-F070FBBFCA0D'; content: 'Night'; displaySize: 'default' }, { type: 'asset'; uuid: '5FF97CB8-B97A-53A5-A010-A97F2F564734'; displaySize: 'default'; asset: typeof nightCamp }, { type: 'gallery'; uuid: '290AF238-BDCA-5FD1-898D-99BEA5DF5D72'; name: 'Campaign: first light'; assets: [typeof coastAtDawn, typeof pinesInMist, typeof nightCamp] }] }, { uuid: 'A6F62F52-B157-5E05-809C-AA8F7C15EDE6'; name: 'Product'; counts: { assets: number; items: number }; items: [{ type: 'heading'; uuid: '596849A0-DA1A-5A1B-86CE-4481AFF4AC47'; content: 'Beacon'; displaySize: 'default' }, { type: 'asset'; uuid: 'B15AF816-9E19-5E7F-B163-83608DA3FF45'; displaySize: 'default'; asset: typeof beaconLantern }, { type: 'heading'; uuid: '9F00C580-F30D-561A-806D-EBE0057CF773'; content: 'Motion'; displaySize: 'default' }, { type: 'asset'; uuid: 'AAD133B7-25E0-5047-9A3E-C1A521ADED86'; displaySize: 'default'; asset: typeof turningMark }] }, { uuid: '9C8C8EE7-1563-5AD7-80D6-CABC74EBCE89'; name: 'Print'; counts: { assets: number; items: number }; items: [{ type: 'asset'; uuid: '46BE7E99-3ED3-513D-9EC4-223775930B4B'; displaySize: 'default'; asset: typeof brandGuide }, { type: 'asset'; uuid: '3F41D4E0-ED01-5303-8C11-0662DBBDE792'; displaySize: 'default'; asset: typeof signPlate }, { type: 'asset'; uuid: '08CBFFEE-976B-586D-B97A-F904F00B2CD4'; displaySize: 'default'; asset: typeof wrappingPattern }] }, { uuid: '7FB89C69-0C8F-51DA-AB6C-D1ECEE933A26'; name: 'Stationery'; counts: { assets: number; items: number }; items: [{ type: 'asset'; uuid: 'A3807399-8540-550B-9C6B-46DAB8B588AB'; displaySize: 'default'; asset: typeof businessCardBack }, { type: 'asset'; uuid: 'EF7AAFCC-0513-5C0E-881C-96221E64D799'; displaySize: 'default'; asset: typeof businessCardFront }, { type: 'asset'; uuid: '01558994-9F25-5B76-8F69-4764C829572D'; displaySize: 'default'; asset: typeof letterhead }, { type: 'asset'; uuid: 'D3AF718B-6BDA-55EB-8CBA-BCF857264B1B'; displaySize: 'default'; asset: typeof socialCard }] }, { uuid: '6201D66D-E05C-5D57-BD3A-E3C4295F62CF'; name: 'Fonts'; counts: { assets: number; items: number }; items: [{ type: 'asset'; uuid: '19A3BE2E-D14F-5BAF-B586-16F9B12E736F'; displaySize: 'default'; asset: typeof outfitSemibold }] }] }
  export default $default
}

declare module 'content-space:kit/brand?as=metadata' {
  /** App Icon (SVG, 512 × 512, in Logos): For home screens and stores. · names: { 'app-icon': 'appIcon' } ![](data:image/svg+xml;base64,PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciIHdpZHRoPSI5NiIgaGVpZ2h0PSI5NiIgdmlld0JveD0iMCAwIDUxMiA1MTIiIHN0eWxlPSJiYWNrZ3JvdW5kOiM5OTkiPjx0aXRsZT5Tb2x2YW5lIGFwcCBpY29uPC90aXRsZT48cmVjdCB3aWR0aD0iNTEyIiBoZWlnaHQ9IjUxMiIgZmlsbD0iIzExMzczYSIgcng9IjExNiIvPjxwYXRoIGZpbGw9IiNmNGE5MzUiIGQ9Ik0yNjIuNCAxMTUuMmgxMzQuNGExMzQuNCAxMzQuNCAwIDAgMS0xMzQuNCAxMzQuNFoiLz48cGF0aCBmaWxsPSIjZTU2MDNmIiBkPSJNMzk2LjggMjYyLjR2MTM0LjRhMTM0LjQgMTM0LjQgMCAwIDEtMTM0LjQtMTM0LjRaIi8+PHBhdGggZmlsbD0iIzVkYjhhZSIgZD0iTTI0OS42IDM5Ni44SDExNS4yYTEzNC40IDEzNC40IDAgMCAxIDEzNC40LTEzNC40WiIvPjxwYXRoIGZpbGw9IiNmZmYiIGQ9Ik0xMTUuMiAyNDkuNlYxMTUuMmExMzQuNCAxMzQuNCAwIDAgMSAxMzQuNCAxMzQuNFoiLz48L3N2Zz4=#cedce89f4e5e) */
  export const appIcon: { uuid: 'CAE1DD58-836A-5F94-80E5-F4FFD6344AA3'; name: 'App Icon'; type: 'SVG'; width: 512; height: 512; notes: string; keywords: string[]; colors: unknown[] }
  /** Arrow Left (SVG, 24 × 24, in Icons) · names: { 'arrow-left': 'arrowLeft' } */
  export const arrowLeft: { uuid: '9C89C4B1-83D7-5E24-8236-43332C447745'; name: 'Arrow Left'; type: 'SVG'; width: 24; height: 24; notes: string; keywords: string[]; colors: unknown[] }
  /** Arrow Right (SVG, 24 × 24, in Icons) · names: { 'arrow-right': 'arrowRight' } */
  export const arrowRight: { uuid: '9564B30E-1941-58C3-BC09-5B98EF0ED3AA'; name: 'Arrow Right'; type: 'SVG'; width: 24; height: 24; notes: string; keywords: string[]; colors: unknown[] }
  /** Battery (SVG, 24 × 24, in Icons) · names: { 'battery': 'battery' } */
  export const battery: { uuid: '2CA3E55F-D4BE-517F-A002-0EE3E21F99D3'; name: 'Battery'; type: 'SVG'; width: 24; height: 24; notes: string; keywords: string[]; colors: unknown[] }
  /** Beacon Lantern (PNG, 900 × 1200, in Product): Cut out, with its glow: it stands on any ground. · names: { 'beacon-lantern': 'beaconLantern' } */
  export const beaconLantern: { uuid: '4EFD7CF5-234B-5B1A-8D5F-EFCEDB2AA7BC'; name: 'Beacon Lantern'; type: 'PNG'; width: 900; height: 1200; notes: string; keywords: string[]; colors: unknown[] }
  /** Bolt (SVG, 24 × 24, in Icons) · names: { 'bolt': 'bolt' } */
  export const bolt: { uuid: '73F1913C-07A2-5D7E-9FDB-7E2FE54B78B9'; name: 'Bolt'; type: 'SVG'; width: 24; height: 24; notes: string; keywords: string[]; colors: unknown[] }
  /** Brand Guide (PDF, in Print): Two pages: logo and colour. · names: { 'brand-guide': 'brandGuide' } */
  export const brandGuide: { uuid: 'EBC98A36-CC7A-5D2A-88FD-3B109345F40F'; name: 'Brand Guide'; type: 'PDF'; notes: string; keywords: string[]; colors: unknown[] }
  /** Business Card Back (SVG, 850 × 550, in Stationery) · names: { 'business-card-back': 'businessCardBack' } */
  export const businessCardBack: { uuid: '40155323-9D36-5A19-90CE-495729C71A05'; name: 'Business Card Back'; type: 'SVG'; width: 850; height: 550; notes: string; keywords: string[]; colors: unknown[] }
  /** Business Card Front (SVG, 850 × 550, in Stationery) · names: { 'business-card-front': 'businessCardFront' } */
  export const businessCardFront: { uuid: '60D6CB56-A2D5-5D02-9AEB-A0054E75611F'; name: 'Business Card Front'; type: 'SVG'; width: 850; height: 550; notes: string; keywords: string[]; colors: unknown[] }
  /** Cloud Rain (SVG, 24 × 24, in Icons) · names: { 'cloud-rain': 'cloudRain' } */
  export const cloudRain: { uuid: '2C0C8AFE-77BF-5D82-82AF-170905683202'; name: 'Cloud Rain'; type: 'SVG'; width: 24; height: 24; notes: string; keywords: string[]; colors: unknown[] }
  /** Coast At Dawn (JPG, 2400 × 1600, in Photographs): Our first picture on every home page. · names: { 'coast-at-dawn': 'coastAtDawn' } ![](data:image/webp;base64,UklGRo4CAABXRUJQVlA4IIICAABwEwCdASpgAEAAPrVOoEsnJCMhqrQM+OAWiUAW5v2RyeEZ+Tj+74sVFsSz4sW0hyq+kVINBan3/NsckyDCXvS6pDCUpx9WVDa1TSP0lINF6GF/5+qH+l8EMyubJ7wjkfq6r+/qoEhacRSI9+S72FqEUIpsyySBwuIipqe6ids+iID6t+0r/vuWCTgkHmnfNjL/D1a8vlkvP1FGfSCfvkkdrb9ycAD+yVOd3LnNoaPHF8jrghyP+vuKNOvI5qpNXUoGrfP7OuQWrXPxVKvUdlu0Q+V5ZY1crAR7jApytMQdaB/uNCH0lPZRzfqMgF+UpH/vsn7EAIwcr2YZsCYXODCMa4Z4YVNQM0zvFJN5BdLKh9KDkiaEhiM2Z/KrXHlwHOWdInVk27g1AtQ1ffeO8sYEd+B0ctbDCWAL0I+MQvXwFBJ3m6i9y2JInUxBUTLNPKx7Kco6kbe5edredqul5TJ3cEznvqxUYSqNWDtqAU4XDW4Cf1bUFulvMAd3PUlHg6JVLPmzLy12KfS6e0acuSAA4CVRW5PHE7ZVnFqKqK/yd9PCsVc2nUJ9IMp66seDMLHA4qsKW8aFBVcRQwRwFXkzN20FF8bvEINzeCAgjtsScy6VlOQKS6yEPL9KGs2B6NpQDwrRsYT2bhr846TlL9Kdyr0jFOwr9bpkG2kXhdtU3ovAxCggoSSmookbFichCWZWSsKDpJ6olLFggYwGkTjbcQqroHXw9HDuP8OGBumQkSZp4DYFfFFhHp4zY/6BhXeOid8EaWxgeInYH+eGSdBWk/IAJKGu3/ipnwLETQCtqpW2uFeN4ituYEA9Vkr6BHjM+Kqk7i85rGdi6Jg5BAcAAAA=#ee349424b79c) */
  export const coastAtDawn: { uuid: 'A3604B2B-0128-56F5-8BE7-70F09BFD0ECF'; name: 'Coast At Dawn'; type: 'JPG'; width: 2400; height: 1600; notes: string; keywords: string[]; colors: unknown[]; fields: { expires: '2027-12-31'; rights: 'Web and print' } }
  /** Compass (SVG, 24 × 24, in Icons) · names: { 'compass': 'compass' } */
  export const compass: { uuid: 'B48E1FFD-DEA0-56AB-B09B-F82660C74E84'; name: 'Compass'; type: 'SVG'; width: 24; height: 24; notes: string; keywords: string[]; colors: unknown[] }
  /** Coral (COLOR, in Colours): One accent a page. · names: { 'coral': 'coral' } */
  export const coral: { uuid: '2E53FF3D-9257-5083-851C-9450F9B6CA73'; name: 'Coral'; type: 'COLOR'; meta: Record<string, never>; notes: string; keywords: string[]; colors: { alpha: number; brightness: number; coverage: number; hue: number; name: string; saturation: number }[] }
  /** Drop (SVG, 24 × 24, in Icons) · names: { 'drop': 'drop' } */
  export const drop: { uuid: '56886F73-C5A7-5754-92CB-F62934A74062'; name: 'Drop'; type: 'SVG'; width: 24; height: 24; notes: string; keywords: string[]; colors: unknown[] }
  /** Dunes At Noon (JPG, 1920 × 1280, in Photographs) · names: { 'dunes-at-noon': 'dunesAtNoon' } */
  export const dunesAtNoon: { uuid: 'D7DA6675-D811-5604-8DDE-D021393AF9E2'; name: 'Dunes At Noon'; type: 'JPG'; width: 1920; height: 1280; notes: string; keywords: string[]; colors: unknown[] }
  /** Flame (SVG, 24 × 24, in Icons) · names: { 'flame': 'flame' } */
  export const flame: { uuid: '9343AD2A-5C65-575C-ABCC-B6ADD7AADF31'; name: 'Flame'; type: 'SVG'; width: 24; height: 24; notes: string; keywords: string[]; colors: unknown[] }
  /** Heart (SVG, 24 × 24, in Icons) · names: { 'heart': 'heart' } */
  export const heart: { uuid: 'D3720244-5191-578F-92C1-0F985DF9C9E4'; name: 'Heart'; type: 'SVG'; width: 24; height: 24; notes: string; keywords: string[]; colors: unknown[] }
  /** Lantern (SVG, 24 × 24, in Icons) · names: { 'lantern': 'lantern' } */
  export const lantern: { uuid: '9B9C8C81-72A2-5369-ACD2-B5050F083F70'; name: 'Lantern'; type: 'SVG'; width: 24; height: 24; notes: string; keywords: string[]; colors: unknown[] }
  /** Leaf (SVG, 24 × 24, in Icons) · names: { 'leaf': 'leaf' } */
  export const leaf: { uuid: '65815785-1083-517A-949F-470DA9A92954'; name: 'Leaf'; type: 'SVG'; width: 24; height: 24; notes: string; keywords: string[]; colors: unknown[] }
  /** Letterhead (SVG, 840 × 1188, in Stationery) · names: { 'letterhead': 'letterhead' } */
  export const letterhead: { uuid: 'AAE25EFB-CCD7-5BC0-A132-FECF0EC82804'; name: 'Letterhead'; type: 'SVG'; width: 840; height: 1188; notes: string; keywords: string[]; colors: unknown[] }
  /** Map Pin (SVG, 24 × 24, in Icons) · names: { 'map-pin': 'mapPin' } */
  export const mapPin: { uuid: 'C2FFC840-B897-5A22-AFE6-D7567AD06BC5'; name: 'Map Pin'; type: 'SVG'; width: 24; height: 24; notes: string; keywords: string[]; colors: unknown[] }
  /** Mist (COLOR, in Colours): Light grounds. · names: { 'mist': 'mist' } */
  export const mist: { uuid: 'BBFABB59-2108-5BFB-B4F5-2B5E647F4481'; name: 'Mist'; type: 'COLOR'; meta: Record<string, never>; notes: string; keywords: string[]; colors: { alpha: number; brightness: number; coverage: number; hue: number; name: string; saturation: number }[] }
  /** Moon (SVG, 24 × 24, in Icons) · names: { 'moon': 'moon' } */
  export const moon: { uuid: '9491EB36-8B2E-55DD-A82B-12EA2F516B84'; name: 'Moon'; type: 'SVG'; width: 24; height: 24; notes: string; keywords: string[]; colors: unknown[] }
  /** Mountain (SVG, 24 × 24, in Icons) · names: { 'mountain': 'mountain' } */
  export const mountain: { uuid: '200F4F64-7682-5F37-A08B-0EBB85DDD4F5'; name: 'Mountain'; type: 'SVG'; width: 24; height: 24; notes: string; keywords: string[]; colors: unknown[] }
  /** Night Camp (JPG, 1920 × 1280, in Photographs): One Beacon lights the tent. · names: { 'night-camp': 'nightCamp' } */
  export const nightCamp: { uuid: 'E01842A9-31E1-5A1D-87EA-754B715F8049'; name: 'Night Camp'; type: 'JPG'; width: 1920; height: 1280; notes: string; keywords: string[]; colors: unknown[]; fields: { expires: '2028-06-30'; rights: 'Web' } }
  /** Outfit Semibold (TEXT_STYLE, in Fonts): Headings. SIL Open Font License 1.1, see OFL-Outfit.txt beside the kit. · names: { 'outfit-semibold': 'outfitSemibold' } */
  export const outfitSemibold: { uuid: 'E7EC1A10-B801-5371-9875-BF45EC911ADE'; name: 'Outfit Semibold'; type: 'TEXT_STYLE'; notes: string; keywords: string[]; colors: unknown[] }
  /** Pine (COLOR, in Colours): Text, and dark grounds. · names: { 'pine': 'pine' } */
  export const pine: { uuid: '9324912A-70B4-51CE-90FE-2B44F8A404FD'; name: 'Pine'; type: 'COLOR'; meta: Record<string, never>; notes: string; keywords: string[]; colors: { alpha: number; brightness: number; coverage: number; hue: number; name: string; saturation: number }[] }
  /** Pines In Mist (JPG, 1920 × 1280, in Photographs) · names: { 'pines-in-mist': 'pinesInMist' } */
  export const pinesInMist: { uuid: '041148CD-6584-57DD-816B-7EF674DDA5CF'; name: 'Pines In Mist'; type: 'JPG'; width: 1920; height: 1280; notes: string; keywords: string[]; colors: unknown[] }
  /** Ridge In Fog (JPG, 1920 × 1280, in Photographs): Calm enough to set text on its upper third. · names: { 'ridge-in-fog': 'ridgeInFog' } */
  export const ridgeInFog: { uuid: '7C8DF526-3E5C-5787-8A13-E77026F5E79E'; name: 'Ridge In Fog'; type: 'JPG'; width: 1920; height: 1280; notes: string; keywords: string[]; colors: unknown[] }
  /** Search (SVG, 24 × 24, in Icons) · names: { 'search': 'search' } */
  export const search: { uuid: 'BDAAC922-BF06-5217-9BEC-A516A025BEAC'; name: 'Search'; type: 'SVG'; width: 24; height: 24; notes: string; keywords: string[]; colors: unknown[] }
  /** Sign Plate (EPS, in Print): Enamel, 48 cm square. · names: { 'sign-plate': 'signPlate' } */
  export const signPlate: { uuid: 'DFF53CD2-8AAB-525D-814F-031D88B8191C'; name: 'Sign Plate'; type: 'EPS'; notes: string; keywords: string[]; colors: unknown[] }
  /** Social Card (SVG, 1200 × 630, in Stationery) · names: { 'social-card': 'socialCard' } */
  export const socialCard: { uuid: '8749A659-C3C9-5196-AE68-DD9EEF139482'; name: 'Social Card'; type: 'SVG'; width: 1200; height: 630; notes: string; keywords: string[]; colors: unknown[] }
  /** Solvane Logo (SVG, 636 × 160, in Logos): The first choice, on light grounds. · names: { 'solvane-logo': 'solvaneLogo' } */
  export const solvaneLogo: { uuid: 'E1EA51B5-E280-52CD-823A-22E093E25577'; name: 'Solvane Logo'; type: 'SVG'; width: 636; height: 160; notes: string; keywords: string[]; colors: unknown[] }
  /** Solvane Logo Mono (SVG, 636 × 160, in Logos): Takes the colour of the text around it. · names: { 'solvane-logo-mono': 'solvaneLogoMono' } ![](data:image/svg+xml;base64,PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciIHdpZHRoPSI5NiIgaGVpZ2h0PSIyNCIgdmlld0JveD0iMCAwIDYzNiAxNjAiIHN0eWxlPSJiYWNrZ3JvdW5kOiM5OTkiPjx0aXRsZT5Tb2x2YW5lLCBvbmUgY29sb3VyPC90aXRsZT48ZyBmaWxsPSJjdXJyZW50Q29sb3IiPjxwYXRoIGQ9Ik04Mi42NCAyMS45Mmg1NS40NGE1NS40NCA1NS40NCAwIDAgMS01NS40NCA1NS40NFpNMTM4LjA4IDgyLjY0djU1LjQ0YTU1LjQ0IDU1LjQ0IDAgMCAxLTU1LjQ0LTU1LjQ0Wk03Ny4zNiAxMzguMDhIMjEuOTJhNTUuNDQgNTUuNDQgMCAwIDEgNTUuNDQtNTUuNDRaTTIxLjkyIDc3LjM2VjIxLjkyYTU1LjQ0IDU1LjQ0IDAgMCAxIDU1LjQ0IDU1LjQ0WiIvPjwvZz48cGF0aCBmaWxsPSJub25lIiBzdHJva2U9ImN1cnJlbnRDb2xvciIgc3Ryb2tlLWxpbmVjYXA9InJvdW5kIiBzdHJva2UtbGluZWpvaW49InJvdW5kIiBzdHJva2Utd2lkdGg9IjEzIiBkPSJNMjIyLjUgNzEuMmMtMy41LTUtOS41LTcuNi0xOC03LjYtMTAuNSAwLTE3IDQuOC0xNyAxMS44IDAgNy40IDcgOS44IDE3LjUgMTEuOCAxMSAyLjEgMTkgNC42IDE5IDEyLjQgMCA3LjMtNy41IDEyLTE5IDEyLTkuNSAwLTE2LTMtMTkuNS04LjRNMjUwIDg3LjZhMjQgMjQgMCAxIDAgNDggMCAyNCAyNCAwIDEgMC00OCAwbTc2LTU0djc4bTIyLTQ4IDIzIDQ3IDIzLTQ3bTIwIDI0YTI0IDI0IDAgMSAwIDQ4IDAgMjQgMjQgMCAxIDAtNDggMG00OC0yNHY0OG0zMCAwdi00OG0wIDIyYzAtMTMuNSA5LTIyIDIxLTIyIDEzIDAgMjEgOC41IDIxIDIydjI2bTI4LTI0aDQ4YTI0IDI0IDAgMSAwLTYuOCAxNi42Ii8+PC9zdmc+#b63957f5c231) */
  export const solvaneLogoMono: { uuid: '3A08C1D5-17BD-587B-8711-EE30C09119FE'; name: 'Solvane Logo Mono'; type: 'SVG'; width: 636; height: 160; notes: string; keywords: string[]; colors: unknown[] }
  /** Solvane Logo Reversed (SVG, 636 × 160, in Logos): For grounds darker than Tide. · names: { 'solvane-logo-reversed': 'solvaneLogoReversed' } */
  export const solvaneLogoReversed: { uuid: '34D8E5ED-9E33-555D-8E60-41A795D7D88E'; name: 'Solvane Logo Reversed'; type: 'SVG'; width: 636; height: 160; notes: string; keywords: string[]; colors: unknown[] }
  /** Solvane Logo Stacked (SVG, 484 × 300, in Logos): Where width is short. · names: { 'solvane-logo-stacked': 'solvaneLogoStacked' } */
  export const solvaneLogoStacked: { uuid: 'BFD93B6C-2E0E-5144-8B77-31B8A656460B'; name: 'Solvane Logo Stacked'; type: 'SVG'; width: 484; height: 300; notes: string; keywords: string[]; colors: unknown[] }
  /** Solvane Mark (SVG, 120 × 120, in Logos): Four blades: sun, coral, tide and pine. · names: { 'solvane-mark': 'solvaneMark' } ![](data:image/svg+xml;base64,PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciIHdpZHRoPSI5NiIgaGVpZ2h0PSI5NiIgdmlld0JveD0iMCAwIDEyMCAxMjAiIHN0eWxlPSJiYWNrZ3JvdW5kOiM5OTkiPjx0aXRsZT5Tb2x2YW5lIG1hcms8L3RpdGxlPjxwYXRoIGZpbGw9IiNmNGE5MzUiIGQ9Ik02MiAxNmg0MmE0MiA0MiAwIDAgMS00MiA0MloiLz48cGF0aCBmaWxsPSIjZTU2MDNmIiBkPSJNMTA0IDYydjQyYTQyIDQyIDAgMCAxLTQyLTQyWiIvPjxwYXRoIGZpbGw9IiMxZjdhNzgiIGQ9Ik01OCAxMDRIMTZhNDIgNDIgMCAwIDEgNDItNDJaIi8+PHBhdGggZmlsbD0iIzExMzczYSIgZD0iTTE2IDU4VjE2YTQyIDQyIDAgMCAxIDQyIDQyWiIvPjwvc3ZnPg==#cfe2b9e5a713) */
  export const solvaneMark: { uuid: '008BAAEE-C242-53D6-85CB-875434EEB84E'; name: 'Solvane Mark'; type: 'SVG'; width: 120; height: 120; notes: string; keywords: string[]; colors: unknown[] }
  /** Solvane Mark Mono (SVG, 120 × 120, in Logos): Takes the colour of the text around it. · names: { 'solvane-mark-mono': 'solvaneMarkMono' } */
  export const solvaneMarkMono: { uuid: '634996A9-3E8B-5EE7-8DBD-46B2E6B002E6'; name: 'Solvane Mark Mono'; type: 'SVG'; width: 120; height: 120; notes: string; keywords: string[]; colors: unknown[] }
  /** Solvane Mark Reversed (SVG, 120 × 120, in Logos): For grounds darker than Tide. · names: { 'solvane-mark-reversed': 'solvaneMarkReversed' } */
  export const solvaneMarkReversed: { uuid: 'FE5A9AEC-B0AB-55B4-8F3C-121FAE0BF66A'; name: 'Solvane Mark Reversed'; type: 'SVG'; width: 120; height: 120; notes: string; keywords: string[]; colors: unknown[] }
  /** Solvane Wordmark (SVG, 484 × 130, in Logos): Only beside a mark that is already there. · names: { 'solvane-wordmark': 'solvaneWordmark' } */
  export const solvaneWordmark: { uuid: '38E6D4A9-4EE7-565A-808C-979F35F1A74E'; name: 'Solvane Wordmark'; type: 'SVG'; width: 484; height: 130; notes: string; keywords: string[]; colors: unknown[] }
  /** Sun (COLOR, in Colours): Never for text on white. · names: { 'sun-151364a9': 'sunColour' } */
  export const sunColour: { uuid: '151364A9-73B3-50DE-BAE8-32DC6F15B8A5'; name: 'Sun'; type: 'COLOR'; meta: Record<string, never>; notes: string; keywords: string[]; colors: { alpha: number; brightness: number; coverage: number; hue: number; name: string; saturation: number }[] }
  /** Sun (SVG, 24 × 24, in Icons) · names: { 'sun-9aa35486': 'sunIcon' } */
  export const sunIcon: { uuid: '9AA35486-EF76-5B09-AE1C-253A008E0A78'; name: 'Sun'; type: 'SVG'; width: 24; height: 24; notes: string; keywords: string[]; colors: unknown[] }
  /** Tent (SVG, 24 × 24, in Icons) · names: { 'tent': 'tent' } */
  export const tent: { uuid: '7E20EE52-C199-524F-BC60-579BBD5CA787'; name: 'Tent'; type: 'SVG'; width: 24; height: 24; notes: string; keywords: string[]; colors: unknown[] }
  /** Tide (COLOR, in Colours): Links. · names: { 'tide': 'tide' } */
  export const tide: { uuid: '75210CD5-E1CD-54E7-8D79-FAA39BA7F11D'; name: 'Tide'; type: 'COLOR'; meta: Record<string, never>; notes: string; keywords: string[]; colors: { alpha: number; brightness: number; coverage: number; hue: number; name: string; saturation: number }[] }
  /** Tide Lines (JPG, 1920 × 1280, in Photographs): From above, the shore runs to the upper right. · names: { 'tide-lines': 'tideLines' } */
  export const tideLines: { uuid: 'D4E10D64-6AFF-5234-8397-266BAC7EA89F'; name: 'Tide Lines'; type: 'JPG'; width: 1920; height: 1280; notes: string; keywords: string[]; colors: unknown[] }
  /** Tree (SVG, 24 × 24, in Icons) · names: { 'tree': 'tree' } */
  export const tree: { uuid: '4FC7304B-4E8C-5BBA-94AC-8484486CE95D'; name: 'Tree'; type: 'SVG'; width: 24; height: 24; notes: string; keywords: string[]; colors: unknown[] }
  /** Turning Mark (GIF, 240 × 240, in Product): One turn a second, for loading. · names: { 'turning-mark': 'turningMark' } */
  export const turningMark: { uuid: 'B9BEE9CA-20D6-5F6C-842D-856096980120'; name: 'Turning Mark'; type: 'GIF'; width: 240; height: 240; notes: string; keywords: string[]; colors: unknown[] }
  /** Wave (SVG, 24 × 24, in Icons) · names: { 'wave': 'wave' } */
  export const wave: { uuid: 'BF09C84B-F6F0-5302-B1A8-20F4D006CE44'; name: 'Wave'; type: 'SVG'; width: 24; height: 24; notes: string; keywords: string[]; colors: unknown[] }
  /** Wind (SVG, 24 × 24, in Icons) · names: { 'wind': 'wind' } */
  export const wind: { uuid: 'A9DFF5DB-2686-5DE8-AE2C-8868F09487FC'; name: 'Wind'; type: 'SVG'; width: 24; height: 24; notes: string; keywords: string[]; colors: unknown[] }
  /** Wrapping Pattern (TIFF, 900 × 600, in Print): Repeats every 90 cm. · names: { 'wrapping-pattern': 'wrappingPattern' } */
  export const wrappingPattern: { uuid: '772E5176-8F3F-5AD6-8CC8-DC0854A73678'; name: 'Wrapping Pattern'; type: 'TIFF'; width: 900; height: 600; notes: string; keywords: string[]; colors: unknown[] }
  const $default: { uuid: '3F8B9F14-13A5-557B-8CDA-3C3CED01C01A'; name: 'Solvane Brand'; status: string; version: 1; versionIdentifier: '1.0'; notes: string; counts: { assets: number; items: number; sections: number }; dateAdded: string; dateUpdated: string; fields: [{ id: 1; key: 'expires'; name: 'Expires'; type: 'date' }, { id: 2; key: 'rights'; name: 'Rights'; type: 'select'; options: ['Web', 'Web and print'] }]; sections: [{ uuid: '6348A72C-49F4-5EF9-86A5-ADAB46F8E9A3'; name: 'Logos'; counts: { assets: number; items: number }; items: [{ type: 'heading'; uuid: 'C0DF42BB-194F-53E7-8B63-21E1DC3412CC'; content: 'Logo'; displaySize: 'default' }, { type: 'asset'; uuid: '179F03FC-5C87-515C-AB05-1838F87F447C'; displaySize: 'default'; asset: typeof solvaneLogo }, { type: 'asset'; uuid: '3B490910-4825-500E-9653-823501FAACF1'; displaySize: 'default'; asset: typeof solvaneLogoReversed }, { type: 'asset'; uuid: '3DBD1C20-F159-5854-84F9-5D37280A289C'; displaySize: 'default'; asset: typeof solvaneLogoMono }, { type: 'asset'; uuid: '42B7890A-D406-5CAB-A14D-734DE470ADC5'; displaySize: 'default'; asset: typeof solvaneLogoStacked }, { type: 'asset'; uuid: '64CE7B87-0805-5EB9-BD34-47C5924FDCB9'; displaySize: 'default'; asset: typeof solvaneWordmark }, { type: 'heading'; uuid: 'A0FFBD41-C288-55CB-858D-2C06AC6172B5'; content: 'On dark ground'; displaySize: 'default' }, { type: 'inline_note'; uuid: 'FF2D9A2C-6031-53FB-91C9-A046526B32D9'; content: string }, { type: 'guide'; uuid: 'F09DCFDD-0299-5110-A605-55999A021AEE'; title: string; content: string; color: string; asset: typeof solvaneLogoReversed; display: { cardBackgroundColor: string } }, { type: 'guide'; uuid: '58F96B13-8DE6-51A7-A7C5-0AC3E5369FFC'; title: string; content: string; color: string; asset: typeof solvaneLogo; display: { cardBackgroundColor: string } }, { type: 'heading'; uuid: '7E308490-88F5-5644-887A-17003D93969E'; content: 'Mark'; displaySize: 'default' }, { type: 'asset'; uuid: '8150CF56-F67B-5258-8EB9-EF39F2523CBD'; displaySize: 'default'; asset: typeof solvaneMark }, { type: 'asset'; uuid: '8D5753E4-062B-5F15-9E72-238F640EE5C9'; displaySize: 'default'; asset: typeof solvaneMarkReversed }, { type: 'asset'; uuid: '2FF8BD03-73CA-53D3-8F93-DAF2021249D4'; displaySize: 'default'; asset: typeof solvaneMarkMono }, { type: 'asset'; uuid: 'FAC3FEB0-8D44-5EEF-ACAD-289B3EA7AE35'; displaySize: 'default'; asset: typeof appIcon }] }, { uuid: '233D3965-D769-5AAA-ACC2-8065C8000D7A'; name: 'Colours'; counts: { assets: number; items: number }; items: [{ type: 'asset'; uuid: 'A8E9B849-13B4-5A4A-A85E-0FC5FFA6A3FE'; displaySize: 'default'; asset: typeof coral }, { type: 'asset'; uuid: 'ED8C4689-36E7-54AD-A678-85D9D2E31BF9'; displaySize: 'default'; asset: typeof mist }, { type: 'asset'; uuid: '63523CF6-A8D0-56E7-B079-F8198EA37827'; displaySize: 'default'; asset: typeof pine }, { type: 'asset'; uuid: '9D6CA82A-FBE9-5940-A1B0-2703C69E9F15'; displaySize: 'default'; asset: typeof sunColour }, { type: 'asset'; uuid: '5DC82D42-CB89-5838-A3FF-E8357684A2CC'; displaySize: 'default'; asset: typeof tide }] }, { uuid: '2C454D94-F1B4-51E8-B6BA-3FF10F9D479D'; name: 'Icons'; counts: { assets: number; items: number }; items: [{ type: 'heading'; uuid: 'EB595591-BE60-5E8B-A852-643A4F79E20D'; content: 'Weather'; displaySize: 'default' }, { type: 'asset'; uuid: '4F71E843-839B-5391-B22C-FA9D0B8CF97D'; displaySize: 'default'; asset: typeof cloudRain }, { type: 'asset'; uuid: '4B19407A-E243-5E77-B137-F2086D93C9EA'; displaySize: 'default'; asset: typeof drop }, { type: 'asset'; uuid: '77855EE3-0B42-5C89-840E-4EC12B501F3E'; displaySize: 'default'; asset: typeof moon }, { type: 'asset'; uuid: '9BCE2086-344B-5E62-9F1F-3E1FD9500C43'; displaySize: 'default'; asset: typeof sunIcon }, { type: 'asset'; uuid: 'ACDF95B1-0F7F-59C8-A67B-3D9DA81BCA5E'; displaySize: 'default'; asset: typeof wave }, { type: 'asset'; uuid: '780FB127-D624-57E7-97BD-DC13C8B6F809'; displaySize: 'default'; asset: typeof wind }, { type: 'heading'; uuid: 'DDF2F04D-AE61-5B1E-B88B-282384B5FE98'; content: 'Outdoors'; displaySize: 'default' }, { type: 'asset'; uuid: 'E61F8CC2-A10D-5FB5-A296-FA0DF087E488'; displaySize: 'default'; asset: typeof compass }, { type: 'asset'; uuid: '1F1F9ECB-2439-5F01-AF53-DE8F1382544B'; displaySize: 'default'; asset: typeof flame }, { type: 'asset'; uuid: 'F5D3B142-A3C3-540B-873C-FCD3FAE9BD0F'; displaySize: 'default'; asset: typeof lantern }, { type: 'asset'; uuid: 'DC6B73A0-ACE0-5A75-8921-96FC6C44E4EE'; displaySize: 'default'; asset: typeof leaf }, { type: 'asset'; uuid: '6039582C-9636-51BB-B39C-85DFF19C9926'; displaySize: 'default'; asset: typeof mapPin }, { type: 'asset'; uuid: '640D4B67-ABCB-5A54-A376-EC0C72AAE6A9'; displaySize: 'default'; asset: typeof mountain }, { type: 'asset'; uuid: '80638641-8C1C-57B8-A23F-78805EE15B09'; displaySize: 'default'; asset: typeof tent }, { type: 'asset'; uuid: '1FFA8ED6-81CC-594C-AD8E-C607AA8C8ECD'; displaySize: 'default'; asset: typeof tree }, { type: 'heading'; uuid: '6DE99EE0-1FE5-5148-ABC3-3A0FFEB21761'; content: 'Interface'; displaySize: 'default' }, { type: 'asset'; uuid: '0A19F1C4-2F67-5465-8C3E-435B895B25B9'; displaySize: 'default'; asset: typeof arrowLeft }, { type: 'asset'; uuid: '7C4A5FE3-9CAD-5DEE-9D26-F9D925269880'; displaySize: 'default'; asset: typeof arrowRight }, { type: 'asset'; uuid: '9AA72D79-CD95-528E-8409-F871748CF973'; displaySize: 'default'; asset: typeof battery }, { type: 'asset'; uuid: '51C46912-F394-5712-A77F-AC4C3AF2E01F'; displaySize: 'default'; asset: typeof bolt }, { type: 'asset'; uuid: 'BAA8E051-B8E7-5EAC-9D25-10153F5B7134'; displaySize: 'default'; asset: typeof heart }, { type: 'asset'; uuid: '7383E919-3BE9-5459-AB1B-0D54A2525B5B'; displaySize: 'default'; asset: typeof search }] }, { uuid: '191BB92F-3470-5FE1-8693-E64CBDEEEC1F'; name: 'Photographs'; counts: { assets: number; items: number }; items: [{ type: 'inline_note'; uuid: '25A97F8F-4073-56AB-A24B-1846FB2B0209'; content: string }, { type: 'heading'; uuid: '44ECED53-0C8D-5909-85FB-CA51E2343194'; content: 'Sea'; displaySize: 'default' }, { type: 'asset'; uuid: '442F0732-F6A5-5192-9E57-FB44FD0B5B84'; displaySize: 'default'; asset: typeof coastAtDawn }, { type: 'asset'; uuid: 'FF352EF8-8D80-518D-B1DD-5E7CF37BF84E'; displaySize: 'default'; asset: typeof tideLines }, { type: 'heading'; uuid: '5C281BC9-AC84-5582-857E-9D6D21DF70A6'; content: 'Land'; displaySize: 'default' }, { type: 'asset'; uuid: '375BA042-C1A7-5B22-8225-13EA772621DE'; displaySize: 'default'; asset: typeof ridgeInFog }, { type: 'asset'; uuid: '4616AB90-A43F-52DE-BACC-1685245E5D76'; displaySize: 'default'; asset: typeof pinesInMist }, { type: 'asset'; uuid: '55351EB9-52B8-5D16-987C-424CD718D6C3'; displaySize: 'default'; asset: typeof dunesAtNoon }, { type: 'heading'; uuid: 'AC2729CC-97B9-5574-81E5-F070FBBFCA0D'; content: 'Night'; displaySize: 'default' }, { type: 'asset'; uuid: '5FF97CB8-B97A-53A5-A010-A97F2F564734'; displaySize: 'default'; asset: typeof nightCamp }, { type: 'gallery'; uuid: '290AF238-BDCA-5FD1-898D-99BEA5DF5D72'; name: 'Campaign: first light'; assets: [typeof coastAtDawn, typeof pinesInMist, typeof nightCamp] }] }, { uuid: 'A6F62F52-B157-5E05-809C-AA8F7C15EDE6'; name: 'Product'; counts: { assets: number; items: number }; items: [{ type: 'heading'; uuid: '596849A0-DA1A-5A1B-86CE-4481AFF4AC47'; content: 'Beacon'; displaySize: 'default' }, { type: 'asset'; uuid: 'B15AF816-9E19-5E7F-B163-83608DA3FF45'; displaySize: 'default'; asset: typeof beaconLantern }, { type: 'heading'; uuid: '9F00C580-F30D-561A-806D-EBE0057CF773'; content: 'Motion'; displaySize: 'default' }, { type: 'asset'; uuid: 'AAD133B7-25E0-5047-9A3E-C1A521ADED86'; displaySize: 'default'; asset: typeof turningMark }] }, { uuid: '9C8C8EE7-1563-5AD7-80D6-CABC74EBCE89'; name: 'Print'; counts: { assets: number; items: number }; items: [{ type: 'asset'; uuid: '46BE7E99-3ED3-513D-9EC4-223775930B4B'; displaySize: 'default'; asset: typeof brandGuide }, { type: 'asset'; uuid: '3F41D4E0-ED01-5303-8C11-0662DBBDE792'; displaySize: 'default'; asset: typeof signPlate }, { type: 'asset'; uuid: '08CBFFEE-976B-586D-B97A-F904F00B2CD4'; displaySize: 'default'; asset: typeof wrappingPattern }] }, { uuid: '7FB89C69-0C8F-51DA-AB6C-D1ECEE933A26'; name: 'Stationery'; counts: { assets: number; items: number }; items: [{ type: 'asset'; uuid: 'A3807399-8540-550B-9C6B-46DAB8B588AB'; displaySize: 'default'; asset: typeof businessCardBack }, { type: 'asset'; uuid: 'EF7AAFCC-0513-5C0E-881C-96221E64D799'; displaySize: 'default'; asset: typeof businessCardFront }, { type: 'asset'; uuid: '01558994-9F25-5B76-8F69-4764C829572D'; displaySize: 'default'; asset: typeof letterhead }, { type: 'asset'; uuid: 'D3AF718B-6BDA-55EB-8CBA-BCF857264B1B'; displaySize: 'default'; asset: typeof socialCard }] }, { uuid: '6201D66D-E05C-5D57-BD3A-E3C4295F62CF'; name: 'Fonts'; counts: { assets: number; items: number }; items: [{ type: 'asset'; uuid: '19A3BE2E-D14F-5BAF-B586-16F9B12E736F'; displaySize: 'default'; asset: typeof outfitSemibold }] }] }
  export default $default
}

declare module 'content-space:outline/brand' {
  const $default: { uuid: '3F8B9F14-13A5-557B-8CDA-3C3CED01C01A'; name: 'Solvane Brand'; status: string; version: 1; versionIdentifier: '1.0'; notes: string; counts: { assets: number; items: number; sections: number }; dateAdded: string; dateUpdated: string; sections: [{ uuid: '6348A72C-49F4-5EF9-86A5-ADAB46F8E9A3'; name: 'Logos'; headings: [{ uuid: 'C0DF42BB-194F-53E7-8B63-21E1DC3412CC'; name: 'Logo' }, { uuid: 'A0FFBD41-C288-55CB-858D-2C06AC6172B5'; name: 'On dark ground' }, { uuid: '7E308490-88F5-5644-887A-17003D93969E'; name: 'Mark' }] }, { uuid: '233D3965-D769-5AAA-ACC2-8065C8000D7A'; name: 'Colours'; headings: [] }, { uuid: '2C454D94-F1B4-51E8-B6BA-3FF10F9D479D'; name: 'Icons'; headings: [{ uuid: 'EB595591-BE60-5E8B-A852-643A4F79E20D'; name: 'Weather' }, { uuid: 'DDF2F04D-AE61-5B1E-B88B-282384B5FE98'; name: 'Outdoors' }, { uuid: '6DE99EE0-1FE5-5148-ABC3-3A0FFEB21761'; name: 'Interface' }] }, { uuid: '191BB92F-3470-5FE1-8693-E64CBDEEEC1F'; name: 'Photographs'; headings: [{ uuid: '44ECED53-0C8D-5909-85FB-CA51E2343194'; name: 'Sea' }, { uuid: '5C281BC9-AC84-5582-857E-9D6D21DF70A6'; name: 'Land' }, { uuid: 'AC2729CC-97B9-5574-81E5-F070FBBFCA0D'; name: 'Night' }] }, { uuid: 'A6F62F52-B157-5E05-809C-AA8F7C15EDE6'; name: 'Product'; headings: [{ uuid: '596849A0-DA1A-5A1B-86CE-4481AFF4AC47'; name: 'Beacon' }, { uuid: '9F00C580-F30D-561A-806D-EBE0057CF773'; name: 'Motion' }] }, { uuid: '9C8C8EE7-1563-5AD7-80D6-CABC74EBCE89'; name: 'Print'; headings: [] }, { uuid: '7FB89C69-0C8F-51DA-AB6C-D1ECEE933A26'; name: 'Stationery'; headings: [] }, { uuid: '6201D66D-E05C-5D57-BD3A-E3C4295F62CF'; name: 'Fonts'; headings: [] }] }
  export default $default
}

declare module 'content-space:section/brand/colours' {
  import { coral } from 'content-space:kit/brand'
  export { coral }
  import { mist } from 'content-space:kit/brand'
  export { mist }
  import { pine } from 'content-space:kit/brand'
  export { pine }
  import { sunColour } from 'content-space:kit/brand'
  export { sunColour }
  import { tide } from 'content-space:kit/brand'
  export { tide }
  const $default: { uuid: '233D3965-D769-5AAA-ACC2-8065C8000D7A'; name: 'Colours'; items: [{ type: 'asset'; uuid: 'A8E9B849-13B4-5A4A-A85E-0FC5FFA6A3FE'; displaySize: 'default'; asset: typeof coral }, { type: 'asset'; uuid: 'ED8C4689-36E7-54AD-A678-85D9D2E31BF9'; displaySize: 'default'; asset: typeof mist }, { type: 'asset'; uuid: '63523CF6-A8D0-56E7-B079-F8198EA37827'; displaySize: 'default'; asset: typeof pine }, { type: 'asset'; uuid: '9D6CA82A-FBE9-5940-A1B0-2703C69E9F15'; displaySize: 'default'; asset: typeof sunColour }, { type: 'asset'; uuid: '5DC82D42-CB89-5838-A3FF-E8357684A2CC'; displaySize: 'default'; asset: typeof tide }] }
  export default $default
}

declare module 'content-space:section/brand/icons?as=metadata' {
  import { arrowLeft } from 'content-space:kit/brand?as=metadata'
  export { arrowLeft }
  import { arrowRight } from 'content-space:kit/brand?as=metadata'
  export { arrowRight }
  import { battery } from 'content-space:kit/brand?as=metadata'
  export { battery }
  import { bolt } from 'content-space:kit/brand?as=metadata'
  export { bolt }
  import { cloudRain } from 'content-space:kit/brand?as=metadata'
  export { cloudRain }
  import { compass } from 'content-space:kit/brand?as=metadata'
  export { compass }
  import { drop } from 'content-space:kit/brand?as=metadata'
  export { drop }
  import { flame } from 'content-space:kit/brand?as=metadata'
  export { flame }
  import { heart } from 'content-space:kit/brand?as=metadata'
  export { heart }
  import { lantern } from 'content-space:kit/brand?as=metadata'
  export { lantern }
  import { leaf } from 'content-space:kit/brand?as=metadata'
  export { leaf }
  import { mapPin } from 'content-space:kit/brand?as=metadata'
  export { mapPin }
  import { moon } from 'content-space:kit/brand?as=metadata'
  export { moon }
  import { mountain } from 'content-space:kit/brand?as=metadata'
  export { mountain }
  import { search } from 'content-space:kit/brand?as=metadata'
  export { search }
  import { sunIcon } from 'content-space:kit/brand?as=metadata'
  export { sunIcon }
  import { tent } from 'content-space:kit/brand?as=metadata'
  export { tent }
  import { tree } from 'content-space:kit/brand?as=metadata'
  export { tree }
  import { wave } from 'content-space:kit/brand?as=metadata'
  export { wave }
  import { wind } from 'content-space:kit/brand?as=metadata'
  export { wind }
  const $default: { uuid: '2C454D94-F1B4-51E8-B6BA-3FF10F9D479D'; name: 'Icons'; items: [{ type: 'heading'; uuid: 'EB595591-BE60-5E8B-A852-643A4F79E20D'; content: 'Weather'; displaySize: 'default' }, { type: 'asset'; uuid: '4F71E843-839B-5391-B22C-FA9D0B8CF97D'; displaySize: 'default'; asset: typeof cloudRain }, { type: 'asset'; uuid: '4B19407A-E243-5E77-B137-F2086D93C9EA'; displaySize: 'default'; asset: typeof drop }, { type: 'asset'; uuid: '77855EE3-0B42-5C89-840E-4EC12B501F3E'; displaySize: 'default'; asset: typeof moon }, { type: 'asset'; uuid: '9BCE2086-344B-5E62-9F1F-3E1FD9500C43'; displaySize: 'default'; asset: typeof sunIcon }, { type: 'asset'; uuid: 'ACDF95B1-0F7F-59C8-A67B-3D9DA81BCA5E'; displaySize: 'default'; asset: typeof wave }, { type: 'asset'; uuid: '780FB127-D624-57E7-97BD-DC13C8B6F809'; displaySize: 'default'; asset: typeof wind }, { type: 'heading'; uuid: 'DDF2F04D-AE61-5B1E-B88B-282384B5FE98'; content: 'Outdoors'; displaySize: 'default' }, { type: 'asset'; uuid: 'E61F8CC2-A10D-5FB5-A296-FA0DF087E488'; displaySize: 'default'; asset: typeof compass }, { type: 'asset'; uuid: '1F1F9ECB-2439-5F01-AF53-DE8F1382544B'; displaySize: 'default'; asset: typeof flame }, { type: 'asset'; uuid: 'F5D3B142-A3C3-540B-873C-FCD3FAE9BD0F'; displaySize: 'default'; asset: typeof lantern }, { type: 'asset'; uuid: 'DC6B73A0-ACE0-5A75-8921-96FC6C44E4EE'; displaySize: 'default'; asset: typeof leaf }, { type: 'asset'; uuid: '6039582C-9636-51BB-B39C-85DFF19C9926'; displaySize: 'default'; asset: typeof mapPin }, { type: 'asset'; uuid: '640D4B67-ABCB-5A54-A376-EC0C72AAE6A9'; displaySize: 'default'; asset: typeof mountain }, { type: 'asset'; uuid: '80638641-8C1C-57B8-A23F-78805EE15B09'; displaySize: 'default'; asset: typeof tent }, { type: 'asset'; uuid: '1FFA8ED6-81CC-594C-AD8E-C607AA8C8ECD'; displaySize: 'default'; asset: typeof tree }, { type: 'heading'; uuid: '6DE99EE0-1FE5-5148-ABC3-3A0FFEB21761'; content: 'Interface'; displaySize: 'default' }, { type: 'asset'; uuid: '0A19F1C4-2F67-5465-8C3E-435B895B25B9'; displaySize: 'default'; asset: typeof arrowLeft }, { type: 'asset'; uuid: '7C4A5FE3-9CAD-5DEE-9D26-F9D925269880'; displaySize: 'default'; asset: typeof arrowRight }, { type: 'asset'; uuid: '9AA72D79-CD95-528E-8409-F871748CF973'; displaySize: 'default'; asset: typeof battery }, { type: 'asset'; uuid: '51C46912-F394-5712-A77F-AC4C3AF2E01F'; displaySize: 'default'; asset: typeof bolt }, { type: 'asset'; uuid: 'BAA8E051-B8E7-5EAC-9D25-10153F5B7134'; displaySize: 'default'; asset: typeof heart }, { type: 'asset'; uuid: '7383E919-3BE9-5459-AB1B-0D54A2525B5B'; displaySize: 'default'; asset: typeof search }] }
  export default $default
}

declare module 'content-space:section/brand/icons?as=preact' {
  /** Arrow Left (SVG, 24 × 24, in Icons) · names: { 'arrow-left': 'arrowLeft' } */
  export const ArrowLeft: import('unplugin-content-space/preact').SvgComponent
  /** Arrow Right (SVG, 24 × 24, in Icons) · names: { 'arrow-right': 'arrowRight' } */
  export const ArrowRight: import('unplugin-content-space/preact').SvgComponent
  /** Battery (SVG, 24 × 24, in Icons) · names: { 'battery': 'battery' } */
  export const Battery: import('unplugin-content-space/preact').SvgComponent
  /** Bolt (SVG, 24 × 24, in Icons) · names: { 'bolt': 'bolt' } */
  export const Bolt: import('unplugin-content-space/preact').SvgComponent
  /** Cloud Rain (SVG, 24 × 24, in Icons) · names: { 'cloud-rain': 'cloudRain' } */
  export const CloudRain: import('unplugin-content-space/preact').SvgComponent
  /** Compass (SVG, 24 × 24, in Icons) · names: { 'compass': 'compass' } */
  export const Compass: import('unplugin-content-space/preact').SvgComponent
  /** Drop (SVG, 24 × 24, in Icons) · names: { 'drop': 'drop' } */
  export const Drop: import('unplugin-content-space/preact').SvgComponent
  /** Flame (SVG, 24 × 24, in Icons) · names: { 'flame': 'flame' } */
  export const Flame: import('unplugin-content-space/preact').SvgComponent
  /** Heart (SVG, 24 × 24, in Icons) · names: { 'heart': 'heart' } */
  export const Heart: import('unplugin-content-space/preact').SvgComponent
  /** Lantern (SVG, 24 × 24, in Icons) · names: { 'lantern': 'lantern' } */
  export const Lantern: import('unplugin-content-space/preact').SvgComponent
  /** Leaf (SVG, 24 × 24, in Icons) · names: { 'leaf': 'leaf' } */
  export const Leaf: import('unplugin-content-space/preact').SvgComponent
  /** Map Pin (SVG, 24 × 24, in Icons) · names: { 'map-pin': 'mapPin' } */
  export const MapPin: import('unplugin-content-space/preact').SvgComponent
  /** Moon (SVG, 24 × 24, in Icons) · names: { 'moon': 'moon' } */
  export const Moon: import('unplugin-content-space/preact').SvgComponent
  /** Mountain (SVG, 24 × 24, in Icons) · names: { 'mountain': 'mountain' } */
  export const Mountain: import('unplugin-content-space/preact').SvgComponent
  /** Search (SVG, 24 × 24, in Icons) · names: { 'search': 'search' } */
  export const Search: import('unplugin-content-space/preact').SvgComponent
  /** Sun (SVG, 24 × 24, in Icons) · names: { 'sun-9aa35486': 'sunIcon' } */
  export const SunIcon: import('unplugin-content-space/preact').SvgComponent
  /** Tent (SVG, 24 × 24, in Icons) · names: { 'tent': 'tent' } */
  export const Tent: import('unplugin-content-space/preact').SvgComponent
  /** Tree (SVG, 24 × 24, in Icons) · names: { 'tree': 'tree' } */
  export const Tree: import('unplugin-content-space/preact').SvgComponent
  /** Wave (SVG, 24 × 24, in Icons) · names: { 'wave': 'wave' } */
  export const Wave: import('unplugin-content-space/preact').SvgComponent
  /** Wind (SVG, 24 × 24, in Icons) · names: { 'wind': 'wind' } */
  export const Wind: import('unplugin-content-space/preact').SvgComponent
  const $default: { uuid: '2C454D94-F1B4-51E8-B6BA-3FF10F9D479D'; name: 'Icons'; items: [{ type: 'heading'; uuid: 'EB595591-BE60-5E8B-A852-643A4F79E20D'; content: 'Weather'; displaySize: 'default' }, { type: 'asset'; uuid: '4F71E843-839B-5391-B22C-FA9D0B8CF97D'; displaySize: 'default'; asset: typeof CloudRain }, { type: 'asset'; uuid: '4B19407A-E243-5E77-B137-F2086D93C9EA'; displaySize: 'default'; asset: typeof Drop }, { type: 'asset'; uuid: '77855EE3-0B42-5C89-840E-4EC12B501F3E'; displaySize: 'default'; asset: typeof Moon }, { type: 'asset'; uuid: '9BCE2086-344B-5E62-9F1F-3E1FD9500C43'; displaySize: 'default'; asset: typeof SunIcon }, { type: 'asset'; uuid: 'ACDF95B1-0F7F-59C8-A67B-3D9DA81BCA5E'; displaySize: 'default'; asset: typeof Wave }, { type: 'asset'; uuid: '780FB127-D624-57E7-97BD-DC13C8B6F809'; displaySize: 'default'; asset: typeof Wind }, { type: 'heading'; uuid: 'DDF2F04D-AE61-5B1E-B88B-282384B5FE98'; content: 'Outdoors'; displaySize: 'default' }, { type: 'asset'; uuid: 'E61F8CC2-A10D-5FB5-A296-FA0DF087E488'; displaySize: 'default'; asset: typeof Compass }, { type: 'asset'; uuid: '1F1F9ECB-2439-5F01-AF53-DE8F1382544B'; displaySize: 'default'; asset: typeof Flame }, { type: 'asset'; uuid: 'F5D3B142-A3C3-540B-873C-FCD3FAE9BD0F'; displaySize: 'default'; asset: typeof Lantern }, { type: 'asset'; uuid: 'DC6B73A0-ACE0-5A75-8921-96FC6C44E4EE'; displaySize: 'default'; asset: typeof Leaf }, { type: 'asset'; uuid: '6039582C-9636-51BB-B39C-85DFF19C9926'; displaySize: 'default'; asset: typeof MapPin }, { type: 'asset'; uuid: '640D4B67-ABCB-5A54-A376-EC0C72AAE6A9'; displaySize: 'default'; asset: typeof Mountain }, { type: 'asset'; uuid: '80638641-8C1C-57B8-A23F-78805EE15B09'; displaySize: 'default'; asset: typeof Tent }, { type: 'asset'; uuid: '1FFA8ED6-81CC-594C-AD8E-C607AA8C8ECD'; displaySize: 'default'; asset: typeof Tree }, { type: 'heading'; uuid: '6DE99EE0-1FE5-5148-ABC3-3A0FFEB21761'; content: 'Interface'; displaySize: 'default' }, { type: 'asset'; uuid: '0A19F1C4-2F67-5465-8C3E-435B895B25B9'; displaySize: 'default'; asset: typeof ArrowLeft }, { type: 'asset'; uuid: '7C4A5FE3-9CAD-5DEE-9D26-F9D925269880'; displaySize: 'default'; asset: typeof ArrowRight }, { type: 'asset'; uuid: '9AA72D79-CD95-528E-8409-F871748CF973'; displaySize: 'default'; asset: typeof Battery }, { type: 'asset'; uuid: '51C46912-F394-5712-A77F-AC4C3AF2E01F'; displaySize: 'default'; asset: typeof Bolt }, { type: 'asset'; uuid: 'BAA8E051-B8E7-5EAC-9D25-10153F5B7134'; displaySize: 'default'; asset: typeof Heart }, { type: 'asset'; uuid: '7383E919-3BE9-5459-AB1B-0D54A2525B5B'; displaySize: 'default'; asset: typeof Search }] }
  export default $default
}

declare module 'content-space:section/brand/logos' {
  import { appIcon } from 'content-space:kit/brand'
  export { appIcon }
  import { solvaneLogo } from 'content-space:kit/brand'
  export { solvaneLogo }
  import { solvaneLogoMono } from 'content-space:kit/brand'
  export { solvaneLogoMono }
  import { solvaneLogoReversed } from 'content-space:kit/brand'
  export { solvaneLogoReversed }
  import { solvaneLogoStacked } from 'content-space:kit/brand'
  export { solvaneLogoStacked }
  import { solvaneMark } from 'content-space:kit/brand'
  export { solvaneMark }
  import { solvaneMarkMono } from 'content-space:kit/brand'
  export { solvaneMarkMono }
  import { solvaneMarkReversed } from 'content-space:kit/brand'
  export { solvaneMarkReversed }
  import { solvaneWordmark } from 'content-space:kit/brand'
  export { solvaneWordmark }
  const $default: { uuid: '6348A72C-49F4-5EF9-86A5-ADAB46F8E9A3'; name: 'Logos'; items: [{ type: 'heading'; uuid: 'C0DF42BB-194F-53E7-8B63-21E1DC3412CC'; content: 'Logo'; displaySize: 'default' }, { type: 'asset'; uuid: '179F03FC-5C87-515C-AB05-1838F87F447C'; displaySize: 'default'; asset: typeof solvaneLogo }, { type: 'asset'; uuid: '3B490910-4825-500E-9653-823501FAACF1'; displaySize: 'default'; asset: typeof solvaneLogoReversed }, { type: 'asset'; uuid: '3DBD1C20-F159-5854-84F9-5D37280A289C'; displaySize: 'default'; asset: typeof solvaneLogoMono }, { type: 'asset'; uuid: '42B7890A-D406-5CAB-A14D-734DE470ADC5'; displaySize: 'default'; asset: typeof solvaneLogoStacked }, { type: 'asset'; uuid: '64CE7B87-0805-5EB9-BD34-47C5924FDCB9'; displaySize: 'default'; asset: typeof solvaneWordmark }, { type: 'heading'; uuid: 'A0FFBD41-C288-55CB-858D-2C06AC6172B5'; content: 'On dark ground'; displaySize: 'default' }, { type: 'inline_note'; uuid: 'FF2D9A2C-6031-53FB-91C9-A046526B32D9'; content: string }, { type: 'guide'; uuid: 'F09DCFDD-0299-5110-A605-55999A021AEE'; title: string; content: string; color: string; asset: typeof solvaneLogoReversed; display: { cardBackgroundColor: string } }, { type: 'guide'; uuid: '58F96B13-8DE6-51A7-A7C5-0AC3E5369FFC'; title: string; content: string; color: string; asset: typeof solvaneLogo; display: { cardBackgroundColor: string } }, { type: 'heading'; uuid: '7E308490-88F5-5644-887A-17003D93969E'; content: 'Mark'; displaySize: 'default' }, { type: 'asset'; uuid: '8150CF56-F67B-5258-8EB9-EF39F2523CBD'; displaySize: 'default'; asset: typeof solvaneMark }, { type: 'asset'; uuid: '8D5753E4-062B-5F15-9E72-238F640EE5C9'; displaySize: 'default'; asset: typeof solvaneMarkReversed }, { type: 'asset'; uuid: '2FF8BD03-73CA-53D3-8F93-DAF2021249D4'; displaySize: 'default'; asset: typeof solvaneMarkMono }, { type: 'asset'; uuid: 'FAC3FEB0-8D44-5EEF-ACAD-289B3EA7AE35'; displaySize: 'default'; asset: typeof appIcon }] }
  export default $default
}

declare module 'content-space:section/brand/photographs?preset=gallery' {
  /** Coast At Dawn (JPG, 2400 × 1600, in Photographs): Our first picture on every home page. · names: { 'coast-at-dawn': 'coastAtDawn' } ![](data:image/webp;base64,UklGRo4CAABXRUJQVlA4IIICAABwEwCdASpgAEAAPrVOoEsnJCMhqrQM+OAWiUAW5v2RyeEZ+Tj+74sVFsSz4sW0hyq+kVINBan3/NsckyDCXvS6pDCUpx9WVDa1TSP0lINF6GF/5+qH+l8EMyubJ7wjkfq6r+/qoEhacRSI9+S72FqEUIpsyySBwuIipqe6ids+iID6t+0r/vuWCTgkHmnfNjL/D1a8vlkvP1FGfSCfvkkdrb9ycAD+yVOd3LnNoaPHF8jrghyP+vuKNOvI5qpNXUoGrfP7OuQWrXPxVKvUdlu0Q+V5ZY1crAR7jApytMQdaB/uNCH0lPZRzfqMgF+UpH/vsn7EAIwcr2YZsCYXODCMa4Z4YVNQM0zvFJN5BdLKh9KDkiaEhiM2Z/KrXHlwHOWdInVk27g1AtQ1ffeO8sYEd+B0ctbDCWAL0I+MQvXwFBJ3m6i9y2JInUxBUTLNPKx7Kco6kbe5edredqul5TJ3cEznvqxUYSqNWDtqAU4XDW4Cf1bUFulvMAd3PUlHg6JVLPmzLy12KfS6e0acuSAA4CVRW5PHE7ZVnFqKqK/yd9PCsVc2nUJ9IMp66seDMLHA4qsKW8aFBVcRQwRwFXkzN20FF8bvEINzeCAgjtsScy6VlOQKS6yEPL9KGs2B6NpQDwrRsYT2bhr846TlL9Kdyr0jFOwr9bpkG2kXhdtU3ovAxCggoSSmookbFichCWZWSsKDpJ6olLFggYwGkTjbcQqroHXw9HDuP8OGBumQkSZp4DYFfFFhHp4zY/6BhXeOid8EaWxgeInYH+eGSdBWk/IAJKGu3/ipnwLETQCtqpW2uFeN4ituYEA9Vkr6BHjM+Kqk7i85rGdi6Jg5BAcAAAA=#ee349424b79c) */
  export const coastAtDawn: { uuid: 'A3604B2B-0128-56F5-8BE7-70F09BFD0ECF'; name: 'Coast At Dawn'; type: 'JPG'; format: 'jpg'; src: string; width: 1920; height: 1280; srcset: string; sources: [{ type: 'image/webp'; srcset: string }, { type: 'image/jpeg'; srcset: string }]; placeholder: string; notes: string; keywords: string[]; colors: unknown[]; fields: { expires: '2027-12-31'; rights: 'Web and print' } }
  /** Dunes At Noon (JPG, 1920 × 1280, in Photographs) · names: { 'dunes-at-noon': 'dunesAtNoon' } */
  export const dunesAtNoon: { uuid: 'D7DA6675-D811-5604-8DDE-D021393AF9E2'; name: 'Dunes At Noon'; type: 'JPG'; format: 'jpg'; src: string; width: 1920; height: 1280; srcset: string; sources: [{ type: 'image/webp'; srcset: string }, { type: 'image/jpeg'; srcset: string }]; placeholder: string; notes: string; keywords: string[]; colors: unknown[] }
  /** Night Camp (JPG, 1920 × 1280, in Photographs): One Beacon lights the tent. · names: { 'night-camp': 'nightCamp' } */
  export const nightCamp: { uuid: 'E01842A9-31E1-5A1D-87EA-754B715F8049'; name: 'Night Camp'; type: 'JPG'; format: 'jpg'; src: string; width: 1920; height: 1280; srcset: string; sources: [{ type: 'image/webp'; srcset: string }, { type: 'image/jpeg'; srcset: string }]; placeholder: string; notes: string; keywords: string[]; colors: unknown[]; fields: { expires: '2028-06-30'; rights: 'Web' } }
  /** Pines In Mist (JPG, 1920 × 1280, in Photographs) · names: { 'pines-in-mist': 'pinesInMist' } */
  export const pinesInMist: { uuid: '041148CD-6584-57DD-816B-7EF674DDA5CF'; name: 'Pines In Mist'; type: 'JPG'; format: 'jpg'; src: string; width: 1920; height: 1280; srcset: string; sources: [{ type: 'image/webp'; srcset: string }, { type: 'image/jpeg'; srcset: string }]; placeholder: string; notes: string; keywords: string[]; colors: unknown[] }
  /** Ridge In Fog (JPG, 1920 × 1280, in Photographs): Calm enough to set text on its upper third. · names: { 'ridge-in-fog': 'ridgeInFog' } */
  export const ridgeInFog: { uuid: '7C8DF526-3E5C-5787-8A13-E77026F5E79E'; name: 'Ridge In Fog'; type: 'JPG'; format: 'jpg'; src: string; width: 1920; height: 1280; srcset: string; sources: [{ type: 'image/webp'; srcset: string }, { type: 'image/jpeg'; srcset: string }]; placeholder: string; notes: string; keywords: string[]; colors: unknown[] }
  /** Tide Lines (JPG, 1920 × 1280, in Photographs): From above, the shore runs to the upper right. · names: { 'tide-lines': 'tideLines' } */
  export const tideLines: { uuid: 'D4E10D64-6AFF-5234-8397-266BAC7EA89F'; name: 'Tide Lines'; type: 'JPG'; format: 'jpg'; src: string; width: 1920; height: 1280; srcset: string; sources: [{ type: 'image/webp'; srcset: string }, { type: 'image/jpeg'; srcset: string }]; placeholder: string; notes: string; keywords: string[]; colors: unknown[] }
  const $default: { uuid: '191BB92F-3470-5FE1-8693-E64CBDEEEC1F'; name: 'Photographs'; items: [{ type: 'inline_note'; uuid: '25A97F8F-4073-56AB-A24B-1846FB2B0209'; content: string }, { type: 'heading'; uuid: '44ECED53-0C8D-5909-85FB-CA51E2343194'; content: 'Sea'; displaySize: 'default' }, { type: 'asset'; uuid: '442F0732-F6A5-5192-9E57-FB44FD0B5B84'; displaySize: 'default'; asset: typeof coastAtDawn }, { type: 'asset'; uuid: 'FF352EF8-8D80-518D-B1DD-5E7CF37BF84E'; displaySize: 'default'; asset: typeof tideLines }, { type: 'heading'; uuid: '5C281BC9-AC84-5582-857E-9D6D21DF70A6'; content: 'Land'; displaySize: 'default' }, { type: 'asset'; uuid: '375BA042-C1A7-5B22-8225-13EA772621DE'; displaySize: 'default'; asset: typeof ridgeInFog }, { type: 'asset'; uuid: '4616AB90-A43F-52DE-BACC-1685245E5D76'; displaySize: 'default'; asset: typeof pinesInMist }, { type: 'asset'; uuid: '55351EB9-52B8-5D16-987C-424CD718D6C3'; displaySize: 'default'; asset: typeof dunesAtNoon }, { type: 'heading'; uuid: 'AC2729CC-97B9-5574-81E5-F070FBBFCA0D'; content: 'Night'; displaySize: 'default' }, { type: 'asset'; uuid: '5FF97CB8-B97A-53A5-A010-A97F2F564734'; displaySize: 'default'; asset: typeof nightCamp }, { type: 'gallery'; uuid: '290AF238-BDCA-5FD1-898D-99BEA5DF5D72'; name: 'Campaign: first light'; assets: [typeof coastAtDawn, typeof pinesInMist, typeof nightCamp] }] }
  export default $default
}

declare module 'content-space:section/brand/print?cut=png' {
  /** Brand Guide (PDF, in Print): Two pages: logo and colour. · names: { 'brand-guide': 'brandGuide' } */
  export const brandGuide: { uuid: 'EBC98A36-CC7A-5D2A-88FD-3B109345F40F'; name: 'Brand Guide'; type: 'PDF'; format: 'png'; src: string; notes: string; keywords: string[]; colors: unknown[] }
  /** Sign Plate (EPS, in Print): Enamel, 48 cm square. · names: { 'sign-plate': 'signPlate' } */
  export const signPlate: { uuid: 'DFF53CD2-8AAB-525D-814F-031D88B8191C'; name: 'Sign Plate'; type: 'EPS'; format: 'png'; src: string; notes: string; keywords: string[]; colors: unknown[] }
  /** Wrapping Pattern (TIFF, 900 × 600, in Print): Repeats every 90 cm. · names: { 'wrapping-pattern': 'wrappingPattern' } */
  export const wrappingPattern: { uuid: '772E5176-8F3F-5AD6-8CC8-DC0854A73678'; name: 'Wrapping Pattern'; type: 'TIFF'; format: 'png'; src: string; width: 900; height: 600; notes: string; keywords: string[]; colors: unknown[] }
  const $default: { uuid: '9C8C8EE7-1563-5AD7-80D6-CABC74EBCE89'; name: 'Print'; items: [{ type: 'asset'; uuid: '46BE7E99-3ED3-513D-9EC4-223775930B4B'; displaySize: 'default'; asset: typeof brandGuide }, { type: 'asset'; uuid: '3F41D4E0-ED01-5303-8C11-0662DBBDE792'; displaySize: 'default'; asset: typeof signPlate }, { type: 'asset'; uuid: '08CBFFEE-976B-586D-B97A-F904F00B2CD4'; displaySize: 'default'; asset: typeof wrappingPattern }] }
  export default $default
}

declare module 'content-space:section/brand/product' {
  import { beaconLantern } from 'content-space:kit/brand'
  export { beaconLantern }
  import { turningMark } from 'content-space:kit/brand'
  export { turningMark }
  const $default: { uuid: 'A6F62F52-B157-5E05-809C-AA8F7C15EDE6'; name: 'Product'; items: [{ type: 'heading'; uuid: '596849A0-DA1A-5A1B-86CE-4481AFF4AC47'; content: 'Beacon'; displaySize: 'default' }, { type: 'asset'; uuid: 'B15AF816-9E19-5E7F-B163-83608DA3FF45'; displaySize: 'default'; asset: typeof beaconLantern }, { type: 'heading'; uuid: '9F00C580-F30D-561A-806D-EBE0057CF773'; content: 'Motion'; displaySize: 'default' }, { type: 'asset'; uuid: 'AAD133B7-25E0-5047-9A3E-C1A521ADED86'; displaySize: 'default'; asset: typeof turningMark }] }
  export default $default
}

declare module 'content-space:tokens/brand' {
  export const colors: {
    /** #e5603f, in Colours: One accent a page. · names: { 'coral': 'coral' } */
    coral: import('unplugin-content-space/asset').ColorToken
    /** #e3eee9, in Colours: Light grounds. · names: { 'mist': 'mist' } */
    mist: import('unplugin-content-space/asset').ColorToken
    /** #11373a, in Colours: Text, and dark grounds. · names: { 'pine': 'pine' } */
    pine: import('unplugin-content-space/asset').ColorToken
    /** #f4a935, in Colours: Never for text on white. · names: { 'sun-151364a9': 'sunColour' } */
    sunColour: import('unplugin-content-space/asset').ColorToken
    /** #1f7a78, in Colours: Links. · names: { 'tide': 'tide' } */
    tide: import('unplugin-content-space/asset').ColorToken
  }
  export const fonts: {
    /** Outfit Semibold (woff2), in Fonts: Headings. SIL Open Font License 1.1, see OFL-Outfit.txt beside the kit. · names: { 'outfit-semibold': 'outfitSemibold' } */
    outfitSemibold: import('unplugin-content-space/asset').FontToken & { src: string }
  }
  const $default: { colors: typeof colors; fonts: typeof fonts }
  export default $default
}
