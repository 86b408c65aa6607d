/** What a browser says of itself, as far as it is known. */
export interface Device {
  readonly browser: string | null;
  readonly system: string | null;
  /** Fits in a hand. */
  readonly mobile: boolean;
}

// The first that fits counts: nearly every browser names those that it descends from too.
const browsers = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bWhale\//, 'Whale'],
  [/\b(?:OPR|Opera)\//, 'Opera'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|Chromium|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/\bVersion\/[\d.]+.*\bSafari\//, 'Safari'],
  [/^curl\//, 'curl'],
] as const;

const systems = [
  [/\biPad\b/, 'iPad'],
  [/\biPhone\b/, 'iPhone'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac ?OS\b|\bMacintosh\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
] as const;

const firstOf = (text: string, names: readonly (readonly [RegExp, string])[]) =>
  names.find(([sign]) => sign.test(text))?.[1] ?? null;

/** Reads the `User-Agent` that a sign-in came with. */
export function deviceOf(userAgent: string): Device {
  const system = firstOf(userAgent, systems);
  return {
    browser: firstOf(userAgent, browsers),
    system,
    mobile: system === 'iPhone' || system === 'iPad' || system === 'Android',
  };
}
