/** Whether this is `npm run test:long`: what takes an hour at its full length is done at that length. */
export const isLong = process.env['STUDIO_TEST_LONG'] !== undefined;

/** How often, or how many: in `npm test`, and in the long run. */
export const times = (usual: number, long: number): number => (isLong ? long : usual);
