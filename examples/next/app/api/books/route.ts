export function GET() {
  return Response.json([
    { id: '1', title: 'Notes on the Analytical Engine', author: { id: '1', name: 'Ada Lovelace' } },
    { id: '2', title: 'The Education of a Computer', author: { id: '2', name: 'Grace Hopper' } },
  ]);
}
