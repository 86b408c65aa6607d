// Names of the XML of OOXML. Sources: ECMA-376 part 1 (strict) and part 4 (transitional).

const transitional = 'http://schemas.openxmlformats.org';
const strict = 'http://purl.oclc.org/ooxml';

/** What the readers of Office files call namespaces, transitional and strict alike. */
export const namespaces: Readonly<Record<string, string>> = {
  [`${transitional}/wordprocessingml/2006/main`]: 'w',
  [`${strict}/wordprocessingml/main`]: 'w',
  [`${transitional}/spreadsheetml/2006/main`]: 's',
  [`${strict}/spreadsheetml/main`]: 's',
  [`${transitional}/presentationml/2006/main`]: 'p',
  [`${strict}/presentationml/main`]: 'p',
  [`${transitional}/officeDocument/2006/relationships`]: 'r',
  [`${strict}/officeDocument/relationships`]: 'r',
  [`${transitional}/officeDocument/2006/math`]: 'm',
  [`${strict}/officeDocument/math`]: 'm',
  [`${transitional}/drawingml/2006/main`]: 'a',
  [`${strict}/drawingml/main`]: 'a',
  [`${transitional}/drawingml/2006/wordprocessingDrawing`]: 'wp',
  [`${strict}/drawingml/wordprocessingDrawing`]: 'wp',
  [`${transitional}/drawingml/2006/picture`]: 'pic',
  [`${strict}/drawingml/picture`]: 'pic',
  [`${transitional}/drawingml/2006/chart`]: 'c',
  [`${strict}/drawingml/chart`]: 'c',
  [`${transitional}/drawingml/2006/diagram`]: 'dgm',
  [`${strict}/drawingml/diagram`]: 'dgm',
  [`${transitional}/drawingml/2006/spreadsheetDrawing`]: 'xdr',
  [`${strict}/drawingml/spreadsheetDrawing`]: 'xdr',
  'http://schemas.microsoft.com/office/spreadsheetml/2018/threadedcomments': 'tc',
  'http://schemas.microsoft.com/office/powerpoint/2018/8/main': 'p188',
  'http://schemas.microsoft.com/office/word/2010/wordml': 'w14',
  'http://schemas.microsoft.com/office/word/2010/wordprocessingShape': 'wps',
  'http://schemas.microsoft.com/office/word/2010/wordprocessingGroup': 'wpg',
  [`${transitional}/markup-compatibility/2006`]: 'mc',
  'urn:schemas-microsoft-com:vml': 'v',
  'urn:schemas-microsoft-com:office:office': 'o',
  [`${transitional}/package/2006/relationships`]: 'rel',
  [`${transitional}/package/2006/metadata/core-properties`]: 'cp',
  [`${transitional}/officeDocument/2006/extended-properties`]: 'ep',
  [`${strict}/officeDocument/extendedProperties`]: 'ep',
  'http://purl.org/dc/elements/1.1/': 'dc',
  'http://purl.org/dc/terms/': 'dcterms',
};
