import type { MantineColorsTuple } from '@mantine/core';

// Ten shades a hue, of equal lightness from hue to hue (OKLCH), so that shade 7 carries white text and shade 4 is
// read on dark grounds with a contrast of 4.5 whatever accent a tenant picks.

export const accents = {
  pine: ['#ecf9f9', '#d8f1f2', '#b3e4e6', '#87d3d7', '#5abec4', '#2ea5aa', '#0a888d', '#006d71', '#055559', '#003e41'],
  indigo: [
    '#f3f5ff',
    '#e5eafe',
    '#ced7ff',
    '#b3c0fe',
    '#95a5fe',
    '#7585fb',
    '#5d69d9',
    '#4952b2',
    '#39408d',
    '#282e66',
  ],
  blue: ['#f0f7fe', '#ddedff', '#beddfe', '#96c9fe', '#64b2fe', '#3396f0', '#117ace', '#0361a8', '#024c85', '#043761'],
  teal: ['#ebf9f6', '#d6f2ed', '#aee7dc', '#7ed7c8', '#4ac3b2', '#09a998', '#088a7c', '#046f63', '#01574d', '#023f38'],
  green: ['#edfaef', '#daf3de', '#b7e7c0', '#8fd99e', '#66c47d', '#41ab60', '#238e47', '#127235', '#0e5929', '#0b411d'],
  orange: [
    '#fff3ed',
    '#ffe6d7',
    '#fecdb1',
    '#fdb080',
    '#ef9255',
    '#d7742e',
    '#b65a0e',
    '#944601',
    '#753601',
    '#552703',
  ],
  red: ['#fff3f1', '#fee4e2', '#fecbc6', '#ffaba3', '#fe827a', '#ed5a56', '#ca403f', '#a52e2e', '#832323', '#5f1919'],
  grape: ['#fcf2fe', '#f9e2fe', '#f2c8fc', '#e8a9f7', '#d789e9', '#be6bd1', '#a052b2', '#813e91', '#663072', '#4a2253'],
} as const satisfies Record<string, MantineColorsTuple>;

/** A colour of buttons and links. */
export type Accent = keyof typeof accents;

/** Accent of tenants that chose none. */
export const defaultAccent: Accent = 'pine';

export const isAccent = (name: string): name is Accent => Object.hasOwn(accents, name);

/** Greys with a trace of the own accent. */
export const neutrals = {
  gray: ['#f6fbfd', '#eff4f6', '#e5eaec', '#dadfe1', '#c5cacc', '#a1a5a7', '#787d7e', '#595d5e', '#3a3e3f', '#212526'],
  dark: ['#e2e9eb', '#bfc5c8', '#9fa6a8', '#818789', '#484e50', '#34393b', '#262b2d', '#1b2022', '#13181a', '#0d1113'],
} as const satisfies Record<string, MantineColorsTuple>;
