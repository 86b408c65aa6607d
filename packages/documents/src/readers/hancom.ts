import type { Reader } from '../reader.ts';
import { readHwp as readHwp5 } from './hwp/index.ts';
import { isHwp3, readHwp3 } from './hwp3/index.ts';

/** Reads HWP of version 3 and 5, by what the file says. */
export const readHwp: Reader = (bytes, options) => (isHwp3(bytes) ? readHwp3 : readHwp5)(bytes, options);
