import { paper } from './names.ts';
import { borders } from './border-numbers.ts';

// What the first paragraph says of all pages. Source: KS X 6101, SectionDefinitionType.

const noteShape = (name: string, line: number, between: number, place: string): string =>
  [
    `<hp:${name}><hp:autoNumFormat type="DIGIT" userChar="" prefixChar="" suffixChar=")" supscript="0"/>`,
    `<hp:noteLine length="${line}" type="SOLID" width="0.12 mm" color="#000000"/>`,
    `<hp:noteSpacing betweenNotes="${between}" belowLine="567" aboveLine="850"/>`,
    `<hp:numbering type="CONTINUOUS" newNum="1"/><hp:placement place="${place}" beneathText="0"/></hp:${name}>`,
  ].join('');

const pageBorder = (type: string): string =>
  `<hp:pageBorderFill type="${type}" borderFillIDRef="${borders.none}" textBorder="PAPER" headerInside="0" footerInside="0" fillArea="PAPER"><hp:offset left="1417" right="1417" top="1417" bottom="1417"/></hp:pageBorderFill>`;

/** Controls of the first paragraph: the paper, one column, and the numbers of the pages where they are wanted. */
export const sectionControls = (pageNumbers: boolean): string =>
  [
    '<hp:secPr id="" textDirection="HORIZONTAL" spaceColumns="1134" tabStop="8000" tabStopVal="4000" tabStopUnit="HWPUNIT" outlineShapeIDRef="1" memoShapeIDRef="0" textVerticalWidthHead="0" masterPageCnt="0">',
    '<hp:grid lineGrid="0" charGrid="0" wonggojiFormat="0"/><hp:startNum pageStartsOn="BOTH" page="0" pic="0" tbl="0" equation="0"/>',
    '<hp:visibility hideFirstHeader="0" hideFirstFooter="0" hideFirstMasterPage="0" border="SHOW_ALL" fill="SHOW_ALL" hideFirstPageNum="0" hideFirstEmptyLine="0" showLineNumber="0"/>',
    '<hp:lineNumberShape restartType="0" countBy="0" distance="0" startNumber="0"/>',
    `<hp:pagePr landscape="WIDELY" width="${paper.width}" height="${paper.height}" gutterType="LEFT_ONLY"><hp:margin header="${paper.edge}" footer="${paper.edge}" gutter="0" left="${paper.left}" right="${paper.right}" top="${paper.top}" bottom="${paper.bottom}"/></hp:pagePr>`,
    noteShape('footNotePr', -1, 283, 'EACH_COLUMN'),
    noteShape('endNotePr', 14_692_344, 0, 'END_OF_DOCUMENT'),
    ['BOTH', 'EVEN', 'ODD'].map(pageBorder).join(''),
    '</hp:secPr><hp:ctrl><hp:colPr id="" type="NEWSPAPER" layout="LEFT" colCount="1" sameSz="1" sameGap="0"/></hp:ctrl>',
    pageNumbers ? '<hp:ctrl><hp:pageNum pos="BOTTOM_CENTER" formatType="DIGIT" sideChar="-"/></hp:ctrl>' : '',
  ].join('');
