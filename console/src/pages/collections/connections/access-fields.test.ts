import { expect, test } from 'vitest';
import { groupLines, groupsIn } from './access-fields.tsx';

test('groups are lines, whatever stands in their names', () => {
  const groups = [
    { name: '인사: 팀', members: ['a@example.kr', 'b@example.kr'] },
    { name: 'hr@example.kr', members: [] },
  ];
  expect(groupsIn(groupLines(groups))).toEqual(groups);
  expect(groupsIn('\n Name : a@b.kr;c@d.kr  e@f.kr \n\n')).toEqual([
    { name: 'Name', members: ['a@b.kr', 'c@d.kr', 'e@f.kr'] },
  ]);
  expect(groupsIn('no members')).toEqual([{ name: 'no members', members: [] }]);
});
