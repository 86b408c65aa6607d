import { wordPart } from './names.ts';

// Styles of a document: names that Word knows in every language, letters and distances of Korean official documents.

const FONT = '맑은 고딕';
const MONO = 'Consolas';

const fonts = (name: string): string =>
  `<w:rFonts w:ascii="${name}" w:hAnsi="${name}" w:eastAsia="${FONT}" w:cs="${name}"/>`;

interface StyleForm {
  readonly id: string;
  readonly name: string;
  readonly basedOn?: string;
  readonly next?: string;
  readonly paragraph?: string;
  readonly run?: string;
  readonly isDefault?: boolean;
}
const style = ({ id, name, basedOn, next, paragraph = '', run = '', isDefault = false }: StyleForm): string =>
  [
    `<w:style w:type="paragraph"${isDefault ? ' w:default="1"' : ''} w:styleId="${id}"><w:name w:val="${name}"/>`,
    basedOn === undefined ? '' : `<w:basedOn w:val="${basedOn}"/>`,
    next === undefined ? '' : `<w:next w:val="${next}"/>`,
    '<w:qFormat/>',
    paragraph === '' ? '' : `<w:pPr>${paragraph}</w:pPr>`,
    run === '' ? '' : `<w:rPr>${run}</w:rPr>`,
    '</w:style>',
  ].join('');

/** Half points, by level. */
const headingSizes = [32, 28, 26, 24, 22, 22];
const heading = (size: number, at: number): string =>
  style({
    id: `Heading${at + 1}`,
    name: `heading ${at + 1}`,
    basedOn: 'Normal',
    next: 'Normal',
    paragraph: `<w:keepNext/><w:spacing w:before="${at === 0 ? 360 : 240}" w:after="80"/><w:outlineLvl w:val="${at}"/>`,
    run: `<w:b/><w:sz w:val="${size}"/>`,
  });

const based = 'Normal';
const borders = (kinds: readonly string[]): string =>
  kinds.map((kind) => `<w:${kind} w:val="single" w:sz="4" w:space="0" w:color="auto"/>`).join('');

const tableStyle = [
  '<w:style w:type="table" w:default="1" w:styleId="TableNormal"><w:name w:val="Normal Table"/><w:uiPriority w:val="99"/><w:tblPr><w:tblInd w:w="0" w:type="dxa"/><w:tblCellMar><w:top w:w="0" w:type="dxa"/><w:left w:w="108" w:type="dxa"/><w:bottom w:w="0" w:type="dxa"/><w:right w:w="108" w:type="dxa"/></w:tblCellMar></w:tblPr></w:style>',
  '<w:style w:type="table" w:styleId="TableGrid"><w:name w:val="Table Grid"/><w:basedOn w:val="TableNormal"/>',
  '<w:pPr><w:spacing w:before="20" w:after="20" w:line="264" w:lineRule="auto"/></w:pPr>',
  `<w:tblPr><w:tblBorders>${borders(['top', 'left', 'bottom', 'right', 'insideH', 'insideV'])}</w:tblBorders></w:tblPr>`,
  '<w:tblStylePr w:type="firstRow"><w:pPr><w:jc w:val="center"/></w:pPr><w:rPr><w:b/></w:rPr><w:tcPr><w:shd w:val="clear" w:color="auto" w:fill="E7E6E6"/></w:tcPr></w:tblStylePr></w:style>',
].join('');

const characters = [
  '<w:style w:type="character" w:styleId="FootnoteReference"><w:name w:val="footnote reference"/><w:rPr><w:vertAlign w:val="superscript"/></w:rPr></w:style>',
  '<w:style w:type="character" w:styleId="Hyperlink"><w:name w:val="Hyperlink"/><w:rPr><w:color w:val="0563C1"/><w:u w:val="single"/></w:rPr></w:style>',
  `<w:style w:type="character" w:styleId="CodeLetters"><w:name w:val="Code Letters"/><w:rPr>${fonts(MONO)}</w:rPr></w:style>`,
].join('');

/** `word/styles.xml`. */
export const stylesPart = (): string =>
  wordPart(
    'styles',
    [
      `<w:docDefaults><w:rPrDefault><w:rPr>${fonts(FONT)}<w:sz w:val="22"/><w:szCs w:val="22"/><w:lang w:val="en-US" w:eastAsia="ko-KR"/></w:rPr></w:rPrDefault>`,
      '<w:pPrDefault><w:pPr><w:spacing w:before="0" w:after="80" w:line="336" w:lineRule="auto"/></w:pPr></w:pPrDefault></w:docDefaults>',
      style({ id: 'Normal', name: 'Normal', isDefault: true }),
      style({
        id: 'Title',
        name: 'Title',
        basedOn: based,
        next: based,
        paragraph: '<w:spacing w:before="240" w:after="240"/><w:jc w:val="center"/>',
        run: '<w:b/><w:sz w:val="40"/>',
      }),
      style({
        id: 'Subtitle',
        name: 'Subtitle',
        basedOn: based,
        next: based,
        paragraph: '<w:spacing w:after="160"/><w:jc w:val="center"/>',
        run: '<w:sz w:val="26"/>',
      }),
      ...headingSizes.map(heading),
      style({
        id: 'Quote',
        name: 'Quote',
        basedOn: based,
        paragraph:
          '<w:pBdr><w:left w:val="single" w:sz="18" w:space="10" w:color="BFBFBF"/></w:pBdr><w:ind w:left="400"/>',
      }),
      style({ id: 'ListParagraph', name: 'List Paragraph', basedOn: based, paragraph: '<w:spacing w:after="40"/>' }),
      style({
        id: 'SourceCode',
        name: 'Source Code',
        basedOn: based,
        paragraph:
          '<w:shd w:val="clear" w:color="auto" w:fill="F2F2F2"/><w:spacing w:before="80" w:after="80" w:line="240" w:lineRule="auto"/>',
        run: `${fonts(MONO)}<w:sz w:val="19"/>`,
      }),
      style({
        id: 'Caption',
        name: 'caption',
        basedOn: based,
        next: based,
        paragraph: '<w:keepNext/><w:spacing w:before="120" w:after="60"/><w:jc w:val="center"/>',
        run: '<w:sz w:val="20"/>',
      }),
      style({
        id: 'FootnoteText',
        name: 'footnote text',
        basedOn: based,
        paragraph: '<w:spacing w:after="0" w:line="240" w:lineRule="auto"/>',
        run: '<w:sz w:val="18"/>',
      }),
      style({ id: 'Footer', name: 'footer', basedOn: based, paragraph: '<w:jc w:val="center"/>' }),
      style({ id: 'Header', name: 'header', basedOn: based }),
      characters,
      tableStyle,
    ].join(''),
  );
