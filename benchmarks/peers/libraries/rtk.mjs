import { configureStore, createEntityAdapter, createSlice } from '@reduxjs/toolkit';

export const packages = ['@reduxjs/toolkit'];

const issues = createEntityAdapter();
const users = createEntityAdapter();

const issuesSlice = createSlice({
  name: 'issues',
  initialState: issues.getInitialState(),
  reducers: {
    received: (state, { payload }) => issues.upsertMany(state, payload.issues),
    changed: (state, { payload }) => issues.updateOne(state, payload),
  },
});
const usersSlice = createSlice({
  name: 'users',
  initialState: users.getInitialState(),
  reducers: {},
  extraReducers: (builder) =>
    builder.addCase(issuesSlice.actions.received, (state, { payload }) =>
      users.upsertMany(state, payload.users),
    ),
});
const select = issues.getSelectors((state) => state.issues);

/** Normalizing responses is left to the application; the relation stays a key. */
export function createStore() {
  const store = configureStore({
    reducer: { issues: issuesSlice.reducer, users: usersSlice.reducer },
  });
  const { received, changed } = issuesSlice.actions;
  return {
    receive(parsed) {
      const found = new Map();
      const rows = parsed.map(({ assignee, ...row }) => {
        found.set(assignee.id, assignee);
        return { ...row, assignee: assignee.id };
      });
      store.dispatch(received({ issues: rows, users: [...found.values()] }));
    },
    read: () => select.selectAll(store.getState()),
    update: (id, title) => store.dispatch(changed({ id, changes: { title } })),
    watchRow(id, listener) {
      store.subscribe(() => listener(select.selectById(store.getState(), id)));
    },
  };
}
