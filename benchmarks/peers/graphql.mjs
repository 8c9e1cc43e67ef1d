/** The queries of the GraphQL clients: the fields that all other libraries are given. */
export const FIELDS = `
  id
  title
  body
  status
  priority
  createdAt
  updatedAt
  assignee {
    id
    name
  }
`;

export const ISSUES = `query Issues { issues { ${FIELDS} } }`;

export const UPDATE = `
  mutation Update($id: ID!, $title: String!) { updateIssue(id: $id, title: $title) { id title } }
`;
