import { describe, expect, test } from 'vitest';
import { accents, neutrals } from './colors.ts';

/** Relative luminance. Source: WCAG 2.2. */
function luminance(hex: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

/** What text must have. Source: WCAG 2.2, success criterion 1.4.3 (AA). */
const ENOUGH = 4.5;
const [ground, panel] = ['#f7f9f9', '#ffffff'];
const { gray, dark } = neutrals;

describe.each(Object.entries(accents))('the accent %s', (_, shades) => {
  test('is read as a link in both themes', () => {
    for (const under of [ground, panel]) expect(contrast(shades[7], under)).toBeGreaterThan(ENOUGH);
    for (const under of [dark[6], dark[7], dark[8]]) expect(contrast(shades[4], under)).toBeGreaterThan(ENOUGH);
  });

  test('carries white text', () => {
    expect(contrast(shades[7], '#ffffff')).toBeGreaterThan(ENOUGH);
    // What decides between white and black: luminanceThreshold of the theme.
    expect(luminance(shades[7])).toBeLessThan(0.16);
    expect(luminance(shades[6])).toBeGreaterThan(0.16);
  });
});

test('quiet text is read on every ground', () => {
  for (const under of [ground, panel, gray[0], gray[1]]) expect(contrast(gray[7], under)).toBeGreaterThan(ENOUGH);
  for (const under of [dark[6], dark[7], dark[8]]) expect(contrast(dark[2], under)).toBeGreaterThan(ENOUGH);
});
