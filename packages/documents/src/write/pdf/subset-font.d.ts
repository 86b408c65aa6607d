declare module 'subset-font' {
  /** Takes letters out of a typeface. Shapes of a variable one are made at places of its axes. */
  export default function subsetFont(
    font: Buffer,
    letters: string,
    options: { readonly targetFormat: 'truetype'; readonly variationAxes?: Readonly<Record<string, number>> },
  ): Promise<Buffer>;
}
